// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.engine;

import java.util.Optional;
import java.util.Set;

public interface TestDescriptor {
    Optional<TestSource> getSource();

    Optional<TestDescriptor> getParent();

    Set<? extends TestDescriptor> getChildren();

    Set<? extends TestDescriptor> getDescendants();

    boolean isTest();

    boolean mayRegisterTests();

    void removeFromHierarchy();
}
