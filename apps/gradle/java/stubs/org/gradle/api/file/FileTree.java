// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.file;

public interface FileTree extends FileCollection {}
