// SPDX-License-Identifier: Apache-2.0
package org.junit.runner.notification;

import org.junit.runner.Description;

public class RunListener {
  public void testFinished(Description description) throws Exception {}

  public void testFailure(Failure failure) throws Exception {}
}
