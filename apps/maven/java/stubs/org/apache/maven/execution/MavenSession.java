// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.execution;

import java.util.Properties;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystemSession;

public class MavenSession {
    public MavenExecutionRequest getRequest() {
        return null;
    }

    public Properties getUserProperties() {
        return null;
    }

    public MavenProject getTopLevelProject() {
        return null;
    }

    public RepositorySystemSession getRepositorySession() {
        return null;
    }
}
