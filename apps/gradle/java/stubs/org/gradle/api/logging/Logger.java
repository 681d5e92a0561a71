// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.logging;

public interface Logger {
    void lifecycle(String text);

    void warn(String text);

    void info(String text, Throwable why);
}
