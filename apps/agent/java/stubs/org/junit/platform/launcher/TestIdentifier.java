// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

public final class TestIdentifier {
    public native String getUniqueId();

    public native Optional<String> getParentId();

    public native Optional<TestSource> getSource();

    public native boolean isTest();
}
