// SPDX-License-Identifier: Apache-2.0
package org.gradle.api;

import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.TaskInputs;
import org.gradle.api.tasks.TaskOutputs;

public interface Task {
    String getPath();

    void onlyIf(Spec<? super Task> spec);

    Task doFirst(Action<? super Task> action);

    Task doLast(Action<? super Task> action);

    TaskInputs getInputs();

    TaskOutputs getOutputs();
}
