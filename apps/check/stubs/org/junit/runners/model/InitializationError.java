// SPDX-License-Identifier: Apache-2.0
package org.junit.runners.model;

public class InitializationError extends Exception {
  private static final long serialVersionUID = 1;
}
