// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;

/** Drops the tests of the skip list from a JUnit 4 runner; the agent calls it when the runner starts. */
public final class JUnit4Skip extends Filter {
    private static final JUnit4Skip SKIP = new JUnit4Skip();

    private JUnit4Skip() {}

    public static void apply(Object runner) {
        if (!SkipList.applies() || !(runner instanceof Filterable)) {
            return;
        }
        try {
            ((Filterable) runner).filter(SKIP);
        } catch (NoTestsRemainException e) {
            // Then the runner has nothing left to run, its fixtures included.
            return;
        }
    }

    @Override
    public boolean shouldRun(Description description) {
        if (description.isTest()) {
            return !SkipList.contains(TestId.ofShown(description.getDisplayName(), ""));
        }
        for (Description child : description.getChildren()) {
            if (shouldRun(child)) {
                return true;
            }
        }
        return description.getChildren().isEmpty();
    }

    @Override
    public String describe() {
        return "not on rejig's skip list";
    }
}
