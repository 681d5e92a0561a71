// SPDX-License-Identifier: Apache-2.0
// Two handlers in order and a finally block (the structure of figure 6).
class Low extends Exception {}

class High extends Low {}

class Raise {
  int state;

  void check(int k) throws Low {
    if (k < 0) throw new Low();
    if (k > 9) throw new High();
  }

  int run(String text) {
    try {
      check(Integer.parseInt(text));
      state = 1;
    } catch (High e) {
      state = 2;
    } catch (Low e) {
      state = 3;
    } finally {
      state += 10;
    }
    return state;
  }
}
