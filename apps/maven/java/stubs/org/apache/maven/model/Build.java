// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.model;

public class Build {
    public String getTestOutputDirectory() {
        return null;
    }
}
