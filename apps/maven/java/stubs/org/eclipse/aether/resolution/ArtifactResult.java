// SPDX-License-Identifier: Apache-2.0
package org.eclipse.aether.resolution;

import org.eclipse.aether.artifact.Artifact;

public final class ArtifactResult {
    public Artifact getArtifact() {
        return null;
    }
}
