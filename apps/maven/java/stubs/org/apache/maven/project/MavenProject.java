// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.project;

import java.io.File;
import java.util.List;
import java.util.Properties;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.model.Build;
import org.apache.maven.model.Plugin;
import org.eclipse.aether.repository.RemoteRepository;

public class MavenProject {
    public String getGroupId() {
        return null;
    }

    public String getArtifactId() {
        return null;
    }

    public File getBasedir() {
        return null;
    }

    public List<Plugin> getBuildPlugins() {
        return null;
    }

    public Build getBuild() {
        return null;
    }

    public Properties getProperties() {
        return null;
    }

    public List<String> getTestClasspathElements() throws DependencyResolutionRequiredException {
        return null;
    }

    public List<RemoteRepository> getRemotePluginRepositories() {
        return null;
    }

    public List<RemoteRepository> getRemoteProjectRepositories() {
        return null;
    }
}
