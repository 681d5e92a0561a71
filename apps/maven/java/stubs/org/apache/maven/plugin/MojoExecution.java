// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.plugin;

import org.apache.maven.model.Plugin;
import org.codehaus.plexus.util.xml.Xpp3Dom;

public class MojoExecution {
    public String getGroupId() {
        return null;
    }

    public String getArtifactId() {
        return null;
    }

    public String getVersion() {
        return null;
    }

    public String getGoal() {
        return null;
    }

    public String getExecutionId() {
        return null;
    }

    public Plugin getPlugin() {
        return null;
    }

    public Xpp3Dom getConfiguration() {
        return null;
    }

    public void setConfiguration(Xpp3Dom configuration) {}
}
