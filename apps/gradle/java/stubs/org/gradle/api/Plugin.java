// SPDX-License-Identifier: Apache-2.0
package org.gradle.api;

public interface Plugin<T> {
    void apply(T target);
}
