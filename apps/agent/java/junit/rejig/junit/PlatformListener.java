// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Tells the recorder where tests and their containers begin and end. A method (test, template or factory) is one
 * test with everything below it; classes and engines are containers whose own work belongs to all members.
 */
public final class PlatformListener implements TestExecutionListener {
    private static final int CONTAINER = 1;
    private static final int TEST = 2;
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int ABORTED = 2;

    private static final class Node {
        final int scope;
        final boolean owner;
        final boolean inTest;
        final String testClass;

        Node(int scope, boolean owner, boolean inTest, String testClass) {
            this.scope = scope;
            this.owner = owner;
            this.inTest = inTest;
            this.testClass = testClass;
        }
    }

    private static final Node ROOT = new Node(0, false, false, null);

    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private volatile boolean active;

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        // A run inside a test belongs to that test.
        if (Marks.present() && !Marks.insideTest()) {
            active = true;
            Marks.reporting(true);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (active) {
            active = false;
            Marks.reporting(false);
        }
    }

    @Override
    public void executionStarted(TestIdentifier id) {
        if (active) {
            nodes.put(id.getUniqueId(), open(id));
        }
    }

    private Node open(TestIdentifier id) {
        Node parent = id.getParentId().map(p -> nodes.getOrDefault(p, ROOT)).orElse(ROOT);
        if (parent.inTest) {
            return new Node(parent.scope, false, true, parent.testClass);
        }
        Optional<String> method = Sources.testId(id.getSource());
        if (method.isPresent()) {
            return new Node(Marks.begin(TEST, parent.scope, method.get()), true, true, parent.testClass);
        }
        String testClass = Sources.className(id.getSource()).orElse(parent.testClass);
        if (id.isTest()) {
            String name = testClass == null ? id.getUniqueId() : testClass;
            return new Node(Marks.begin(TEST, parent.scope, name + "#*"), true, true, testClass);
        }
        String name = Sources.className(id.getSource()).orElse(id.getUniqueId());
        return new Node(Marks.begin(CONTAINER, parent.scope, name), true, false, testClass);
    }

    @Override
    public void executionSkipped(TestIdentifier id, String reason) {
        if (active) {
            Node node = open(id);
            if (node.owner) {
                Marks.end(node.scope, ABORTED);
            } else {
                Marks.worsen(node.scope, ABORTED);
            }
        }
    }

    @Override
    public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        Node node = active ? nodes.remove(id.getUniqueId()) : null;
        if (node == null) {
            return;
        }
        int outcome = outcome(result);
        if (node.owner) {
            Marks.end(node.scope, outcome);
        } else if (outcome != PASSED) {
            Marks.worsen(node.scope, outcome);
        }
    }

    private static int outcome(TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL:
                return PASSED;
            case ABORTED:
                return ABORTED;
            default:
                return FAILED;
        }
    }
}
