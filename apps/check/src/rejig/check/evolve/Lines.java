// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;

/** Two versions of a text in one: lines of both (' '), of the first only ('-'), of the second only ('+'). */
public final class Lines {
  private Lines() {}

  /** Of a text that is not there, none. */
  public static List<String> of(String text) {
    return text == null ? List.of() : List.of(text.split("\n"));
  }

  public static List<String> diff(List<String> a, List<String> b) {
    int[][] common = new int[a.size() + 1][b.size() + 1];
    for (int i = a.size() - 1; i >= 0; i--) {
      for (int j = b.size() - 1; j >= 0; j--) common[i][j] = a.get(i).equals(b.get(j)) ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
    List<String> out = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
        out.add(" " + a.get(i++));
        j++;
      } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
        out.add("-" + a.get(i++));
      } else {
        out.add("+" + b.get(j++));
      }
    }
    return out;
  }
}
