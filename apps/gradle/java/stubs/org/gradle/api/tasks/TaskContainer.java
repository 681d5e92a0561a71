// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.tasks;

import org.gradle.api.DomainObjectCollection;
import org.gradle.api.Task;

public interface TaskContainer extends DomainObjectCollection<Task> {}
