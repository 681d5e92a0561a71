// SPDX-License-Identifier: Apache-2.0
package org.gradle.api;

public interface DomainObjectCollection<T> {
    <S extends T> DomainObjectCollection<S> withType(Class<S> type, Action<? super S> action);
}
