// SPDX-License-Identifier: Apache-2.0
package org.junit.runners;

import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.model.InitializationError;

public abstract class ParentRunner<T> extends Runner {
  protected ParentRunner(Class<?> c) throws InitializationError {}

  protected abstract List<T> getChildren();

  protected abstract Description describeChild(T child);

  protected abstract void runChild(T child, RunNotifier notifier);

  protected String getName() {
    throw new UnsupportedOperationException();
  }

  @Override public Description getDescription() {
    throw new UnsupportedOperationException();
  }

  @Override public void run(RunNotifier notifier) {
    throw new UnsupportedOperationException();
  }
}
