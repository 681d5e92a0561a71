// SPDX-License-Identifier: Apache-2.0
package org.apache.maven.artifact;

public class DependencyResolutionRequiredException extends Exception {}
