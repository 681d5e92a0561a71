// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.tasks;

import java.util.Map;

public interface TaskInputs {
    Map<String, Object> getProperties();

    TaskInputPropertyBuilder property(String name, Object value);
}
