// SPDX-License-Identifier: Apache-2.0
package org.slf4j;

public interface Logger {
    void info(String text);

    void info(String format, Object... arguments);

    void info(String format, Object first, Object second);

    void warn(String text);

    void warn(String format, Object argument);

    boolean isDebugEnabled();

    void debug(String text, Throwable why);

    void debug(String format, Object first, Object second);
}
