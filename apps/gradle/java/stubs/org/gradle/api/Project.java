// SPDX-License-Identifier: Apache-2.0
package org.gradle.api;

import java.io.File;
import org.gradle.api.tasks.TaskContainer;

public interface Project {
    File getProjectDir();

    TaskContainer getTasks();
}
