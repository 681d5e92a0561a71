// SPDX-License-Identifier: Apache-2.0
package link;

import java.util.ArrayList;
import java.util.List;

/** Called by generated classes: which initializers and which constructor ran. */
public final class Log {
  private Log() { }

  static List<String> initialized = new ArrayList<>();
  static String constructed;

  public static void init(String name) {
    initialized.add(name);
  }

  public static void construct(String id) {
    constructed = id;
  }
}
