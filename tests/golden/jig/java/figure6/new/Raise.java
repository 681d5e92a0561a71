// SPDX-License-Identifier: Apache-2.0
// Without the first handler, and the other one for another type.
class Low extends Exception {}

class High extends Low {}

class Raise {
  int state;

  void check(int k) throws Low {
    if (k < 0) throw new Low();
    if (k > 9) throw new High();
  }

  int run(String text) throws Exception {
    try {
      check(Integer.parseInt(text));
      state = 1;
    } catch (RuntimeException e) {
      state = 3;
    } finally {
      state += 10;
    }
    return state;
  }
}
