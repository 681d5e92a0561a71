// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The matrix exchange format, as far as a selector by methods or classes needs it. */
public final class Rows {
  private Rows() {}

  /** Test id to its atoms. */
  public static Map<String, Set<String>> read(Path file) throws IOException {
    Map<String, Set<String>> out = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int test = line.indexOf("\"test\":\"");
      int atoms = line.indexOf("\"atoms\":[");
      if (test < 0 || atoms < 0) continue;
      Set<String> set = out.computeIfAbsent(string(line, test + 7), k -> new TreeSet<>());
      for (int at = atoms + 9; at < line.length() && line.charAt(at) != ']';) {
        if (line.charAt(at) != '"') {
          at++;
          continue;
        }
        int end = end(line, at);
        set.add(string(line, at));
        at = end + 1;
      }
    }
    return out;
  }

  private static int end(String line, int quote) {
    int i = quote + 1;
    while (line.charAt(i) != '"') i += line.charAt(i) == '\\' ? 2 : 1;
    return i;
  }

  private static String string(String line, int quote) {
    String s = line.substring(quote + 1, end(line, quote));
    return s.indexOf('\\') < 0 ? s : s.replace("\\\"", "\"").replace("\\/", "/").replace("\\\\", "\\");
  }
}
