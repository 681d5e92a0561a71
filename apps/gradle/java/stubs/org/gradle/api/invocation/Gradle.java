// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.invocation;

import org.gradle.BuildResult;
import org.gradle.StartParameter;
import org.gradle.api.Action;
import org.gradle.api.Project;

public interface Gradle {
    Project getRootProject();

    StartParameter getStartParameter();

    void allprojects(Action<? super Project> action);

    void buildFinished(Action<? super BuildResult> action);
}
