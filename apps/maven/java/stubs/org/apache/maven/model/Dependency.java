// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.model;

public class Dependency {
    public String getManagementKey() {
        return null;
    }

    public String getVersion() {
        return null;
    }
}
