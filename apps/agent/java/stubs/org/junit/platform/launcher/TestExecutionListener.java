// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.launcher;

import org.junit.platform.engine.TestExecutionResult;

public interface TestExecutionListener {
    default void testPlanExecutionStarted(TestPlan plan) {}

    default void testPlanExecutionFinished(TestPlan plan) {}

    default void executionSkipped(TestIdentifier id, String reason) {}

    default void executionStarted(TestIdentifier id) {}

    default void executionFinished(TestIdentifier id, TestExecutionResult result) {}
}
