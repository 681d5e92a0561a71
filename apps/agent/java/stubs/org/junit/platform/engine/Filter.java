// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.engine;

public interface Filter<T> {
    FilterResult apply(T object);
}
