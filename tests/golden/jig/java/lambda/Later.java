// SPDX-License-Identifier: Apache-2.0
// A lambda is a receiver type of its own.
interface Step {
  int next(int n);

  default int twice(int n) {
    return next(next(n));
  }
}

class Later {
  static int on(int by) {
    Step step = n -> n + by;
    return step.twice(0);
  }
}
