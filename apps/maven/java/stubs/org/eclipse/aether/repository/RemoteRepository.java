// SPDX-License-Identifier: Apache-2.0
package org.eclipse.aether.repository;

public final class RemoteRepository {
    public String getId() {
        return null;
    }
}
