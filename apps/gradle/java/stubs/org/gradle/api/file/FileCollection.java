// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.file;

import java.io.File;

public interface FileCollection extends Iterable<File> {}
