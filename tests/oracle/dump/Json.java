// SPDX-License-Identifier: Apache-2.0
package dump;

/** One line of the dump: keys in the order they are added, text escaped as dump-format says. */
final class Json {
  private final StringBuilder out = new StringBuilder(160);

  Json(String type) {
    out.append("{\"type\":\"").append(type).append('"');
  }

  Json text(String key, String value) {
    key(key);
    if (value == null) out.append("null");
    else quote(out, value);
    return this;
  }

  Json number(String key, Object valueOrNull) {
    key(key);
    out.append(valueOrNull);
    return this;
  }

  Json flag(String key, boolean value) {
    key(key);
    out.append(value);
    return this;
  }

  /** A value that is JSON already. */
  Json raw(String key, CharSequence json) {
    key(key);
    out.append(json);
    return this;
  }

  Json texts(String key, Iterable<String> values) {
    key(key);
    out.append(list(values));
    return this;
  }

  void endInto(StringBuilder lines) {
    lines.append(out).append("}\n");
  }

  private void key(String key) {
    out.append(",\"").append(key).append("\":");
  }

  static String list(Iterable<String> values) {
    StringBuilder b = new StringBuilder("[");
    for (String v : values) {
      if (b.length() > 1) b.append(',');
      b.append(quoted(v));
    }
    return b.append(']').toString();
  }

  static String quoted(String textOrNull) {
    if (textOrNull == null) return "null";
    StringBuilder b = new StringBuilder(textOrNull.length() + 2);
    quote(b, textOrNull);
    return b.toString();
  }

  static void quote(StringBuilder b, String text) {
    b.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        b.append('\\').append(c);
      } else if (c < 0x20) {
        hex(b, c);
      } else if (!Character.isSurrogate(c)) {
        b.append(c);
      } else if (Character.isHighSurrogate(c) && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        b.append(c).append(text.charAt(++i));
      } else {
        hex(b, c);
      }
    }
    b.append('"');
  }

  private static void hex(StringBuilder b, char c) {
    b.append(String.format("\\u%04x", (int) c));
  }

  /** The order of the modified UTF-8 bytes of two strings: UTF-16 units, but U+0000 is C0 80. */
  static int compareModifiedUtf8(String x, String y) {
    int n = Math.min(x.length(), y.length());
    for (int i = 0; i < n; i++) {
      int d = rank(x.charAt(i)) - rank(y.charAt(i));
      if (d != 0) return d;
    }
    return x.length() - y.length();
  }

  private static int rank(char c) {
    return c == 0 ? 255 : 2 * c; // behind U+007F (254), before U+0080 (256)
  }
}
