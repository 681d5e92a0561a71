// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.engine;

import java.util.Optional;

public interface TestDescriptor {
    Optional<TestSource> getSource();

    Optional<TestDescriptor> getParent();

    boolean isTest();
}
