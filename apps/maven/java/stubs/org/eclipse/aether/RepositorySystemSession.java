// SPDX-License-Identifier: Apache-2.0
package org.eclipse.aether;

public interface RepositorySystemSession {}
