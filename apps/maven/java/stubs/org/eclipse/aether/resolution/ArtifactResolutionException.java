// SPDX-License-Identifier: Apache-2.0
package org.eclipse.aether.resolution;

public class ArtifactResolutionException extends Exception {}
