// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.execution;

import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;

public interface ExecutionEvent {
    enum Type { SessionStarted, SessionEnded, MojoStarted, MojoSucceeded }

    Type getType();

    MavenSession getSession();

    MavenProject getProject();

    MojoExecution getMojoExecution();
}
