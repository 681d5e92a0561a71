// SPDX-License-Identifier: Apache-2.0
// What the others were not compiled against.
package kinds;

final class Base {
  static int made = Integer.parseInt("1");
  int size;
}
