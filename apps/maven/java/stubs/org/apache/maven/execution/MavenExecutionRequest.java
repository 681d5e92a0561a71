// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.execution;

import java.io.File;

public interface MavenExecutionRequest {
    boolean isOffline();

    File getMultiModuleProjectDirectory();

    File getLocalRepositoryPath();

    File getUserToolchainsFile();

    File getGlobalToolchainsFile();
}
