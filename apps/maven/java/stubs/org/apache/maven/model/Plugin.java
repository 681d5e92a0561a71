// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.model;

import java.util.List;

public class Plugin {
    public String getArtifactId() {
        return null;
    }

    public List<Dependency> getDependencies() {
        return null;
    }
}
