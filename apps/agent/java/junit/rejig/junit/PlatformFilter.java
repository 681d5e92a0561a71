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
        if (!SkipList.applies()) {
            return KEPT;
        }
        if (isSuite(test) && emptied(test)) {
            // The launcher itself takes away leaves only.
            test.removeFromHierarchy();
            return DROPPED;
        }
        return dropped(test) ? DROPPED : KEPT;
    }

    /** A class with `@Suite` fails when nothing of what it selects is left: then it goes, too. */
    private static boolean isSuite(TestDescriptor test) {
        return test.getClass().getName().equals("org.junit.platform.suite.engine.SuiteTestDescriptor");
    }

    private static boolean emptied(TestDescriptor suite) {
        return suite.getDescendants().stream().anyMatch(TestDescriptor::isTest)
                && suite.getChildren().stream().allMatch(PlatformFilter::leavesNothing);
    }

    private static boolean leavesNothing(TestDescriptor test) {
        if (isSuite(test)) {
            return emptied(test);
        }
        if (test.isTest() || Sources.testId(test.getSource()).isPresent()) {
            return dropped(test);
        }
        return !test.mayRegisterTests() && test.getChildren().stream().allMatch(PlatformFilter::leavesNothing);
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
