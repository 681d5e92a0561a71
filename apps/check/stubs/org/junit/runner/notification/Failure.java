// SPDX-License-Identifier: Apache-2.0
package org.junit.runner.notification;

public class Failure {
  public Throwable getException() {
    throw new UnsupportedOperationException();
  }
}
