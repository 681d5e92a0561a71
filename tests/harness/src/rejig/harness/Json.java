// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, strings, doubles, booleans and null; strict enough to notice a broken answer. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json j = new Json(text);
    Object o = j.value();
    j.blank();
    if (j.at != text.length()) throw j.wrong("end");
    return o;
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("JSON: expected " + expected + " at " + at);
  }

  private void blank() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  private boolean take(char c) {
    blank();
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void need(char c) {
    if (!take(c)) throw wrong("'" + c + "'");
  }

  private Object value() {
    blank();
    if (at >= text.length()) throw wrong("a value");
    char c = text.charAt(at);
    if (c == '"') return string();
    if (take('{')) {
      Map<String, Object> m = new LinkedHashMap<>();
      if (take('}')) return m;
      do {
        blank();
        String k = string();
        need(':');
        m.put(k, value());
      } while (take(','));
      need('}');
      return m;
    }
    if (take('[')) {
      List<Object> l = new ArrayList<>();
      if (take(']')) return l;
      do l.add(value());
      while (take(','));
      need(']');
      return l;
    }
    for (String w : List.of("true", "false", "null")) {
      if (text.startsWith(w, at)) {
        at += w.length();
        return w.equals("null") ? null : w.equals("true");
      }
    }
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    if (start == at) throw wrong("a value");
    return Double.valueOf(text.substring(start, at));
  }

  private String string() {
    need('"');
    StringBuilder b = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw wrong("the end of a string");
      char c = text.charAt(at++);
      if (c == '"') return b.toString();
      if (c != '\\') {
        b.append(c);
        continue;
      }
      char e = text.charAt(at++);
      switch (e) {
        case 'n' -> b.append('\n');
        case 't' -> b.append('\t');
        case 'r' -> b.append('\r');
        case 'b' -> b.append('\b');
        case 'f' -> b.append('\f');
        case 'u' -> {
          b.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        }
        default -> b.append(e);
      }
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object o) {
    return (Map<String, Object>) o;
  }

  static List<?> list(Object o) {
    return (List<?>) o;
  }
}
