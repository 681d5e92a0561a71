// SPDX-License-Identifier: Apache-2.0
package org.gradle.api;

public interface Action<T> {
    void execute(T target);
}
