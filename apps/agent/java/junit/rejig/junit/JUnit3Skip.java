// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.lang.reflect.Field;
import java.util.Vector;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Drops the tests of the skip list from a JUnit 3 suite; the agent calls it when the suite starts. */
public final class JUnit3Skip {
    private JUnit3Skip() {}

    public static void apply(Object suite) throws ReflectiveOperationException {
        if (!SkipList.applies() || !(suite instanceof TestSuite)) {
            return;
        }
        // JUnit 3 has no filters; this is where all its releases keep the tests of a suite.
        Field tests = TestSuite.class.getDeclaredField("fTests");
        tests.setAccessible(true);
        ((Vector<?>) tests.get(suite)).removeIf(JUnit3Skip::isDropped);
    }

    private static boolean isDropped(Object test) {
        return test instanceof TestCase
                && SkipList.contains(TestId.ofShown(test.toString(), test.getClass().getName()));
    }
}
