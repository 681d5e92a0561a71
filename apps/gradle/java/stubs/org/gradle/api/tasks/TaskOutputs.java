// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.tasks;

import org.gradle.api.Task;
import org.gradle.api.specs.Spec;

public interface TaskOutputs {
    void doNotCacheIf(String reason, Spec<? super Task> spec);
}
