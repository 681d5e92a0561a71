// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.util.Optional;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** Drops the tests of the skip list from the plan of the JUnit Platform (1.7 and later find it by ServiceLoader). */
public final class PlatformFilter implements PostDiscoveryFilter {
    private static final FilterResult KEPT = FilterResult.included("not on rejig's skip list");
    private static final FilterResult DROPPED = FilterResult.excluded("unaffected (rejig)");

    @Override
    public FilterResult apply(TestDescriptor test) {
        return SkipList.applies() && dropped(test) ? DROPPED : KEPT;
    }

    private static boolean dropped(TestDescriptor test) {
        Optional<String> method = Sources.testId(test.getSource());
        if (method.isPresent()) {
            return SkipList.contains(method.get());
        }
        if (!test.isTest()) {
            return false;
        }
        Optional<TestDescriptor> at = Optional.of(test);
        while (at.isPresent()) {
            Optional<String> testClass = Sources.className(at.get().getSource());
            if (testClass.isPresent()) {
                return SkipList.contains(testClass.get() + "#*");
            }
            at = at.get().getParent();
        }
        return false;
    }
}
