// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.toolchain;

public interface Toolchain {
    String findTool(String name);
}
