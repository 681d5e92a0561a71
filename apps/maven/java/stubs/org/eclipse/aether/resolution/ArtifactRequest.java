// SPDX-License-Identifier: Apache-2.0
package org.eclipse.aether.resolution;

import java.util.List;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.RemoteRepository;

public final class ArtifactRequest {
    public ArtifactRequest(Artifact artifact, List<RemoteRepository> repositories, String context) {}
}
