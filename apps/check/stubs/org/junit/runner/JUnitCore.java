// SPDX-License-Identifier: Apache-2.0
package org.junit.runner;

import org.junit.runner.notification.RunListener;

public class JUnitCore {
  public Result run(Runner runner) {
    throw new UnsupportedOperationException();
  }

  public void addListener(RunListener listener) {
    throw new UnsupportedOperationException();
  }
}
