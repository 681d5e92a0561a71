// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.toolchain;

import org.apache.maven.execution.MavenSession;

public interface ToolchainManager {
    Toolchain getToolchainFromBuildContext(String type, MavenSession session);
}
