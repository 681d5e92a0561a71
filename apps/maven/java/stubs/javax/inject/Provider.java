// SPDX-License-Identifier: Apache-2.0
package javax.inject;

public interface Provider<T> {
    T get();
}
