// SPDX-License-Identifier: Apache-2.0
// Figure 6: two handlers in order and a finally block.
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
