// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.launcher;

import java.util.Optional;

public class TestPlan {
    public native Optional<TestIdentifier> getParent(TestIdentifier child);
}
