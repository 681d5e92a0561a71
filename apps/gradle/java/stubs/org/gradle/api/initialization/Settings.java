// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.initialization;

import org.gradle.api.invocation.Gradle;

public interface Settings {
    Gradle getGradle();
}
