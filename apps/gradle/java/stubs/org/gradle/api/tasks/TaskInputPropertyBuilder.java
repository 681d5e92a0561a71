// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.tasks;

public interface TaskInputPropertyBuilder {}
