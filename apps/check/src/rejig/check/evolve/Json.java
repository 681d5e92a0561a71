// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

/** A string as JSON has it, with its quotes. */
public final class Json {
  private Json() {}

  public static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c == '"' || c == '\\') b.append('\\').append(c);
      else if (c < 0x20) b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    }
    return b.append('"').toString();
  }
}
