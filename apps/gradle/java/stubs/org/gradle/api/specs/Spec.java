// SPDX-License-Identifier: Apache-2.0
package org.gradle.api.specs;

public interface Spec<T> {
    boolean isSatisfiedBy(T element);
}
