// SPDX-License-Identifier: Apache-2.0
package org.gradle;

public class BuildResult {}
