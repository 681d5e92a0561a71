// SPDX-License-Identifier: Apache-2.0
package dump;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What ASM hides: flags as stored, which attributes there are, be they empty, all line numbers, the pool itself,
 * and whether the file ends where it must. Throws {@link Bad} for what a JVM refuses to parse.
 */
final class RawClass {
  static final class Bad extends Exception {
    Bad(String what, int at) {
      super(what + " @0x" + Integer.toHexString(at));
    }
  }

  static final class Member {
    int access;
    String name;
    String desc;
    final Set<String> attributes = new HashSet<>();
    int codeLength = -1; // -1: no Code
    int firstLine = -1; // -1: no line numbers
    int lastLine = -1;
    final List<int[]> handlers = new ArrayList<>(); // from, to, at, pool index of the type
  }

  final byte[] b;
  int minor;
  int major;
  int access;
  String name;
  String superName;
  final List<String> interfaces = new ArrayList<>();
  final List<Member> fields = new ArrayList<>();
  final List<Member> methods = new ArrayList<>();
  final Set<String> attributes = new HashSet<>();
  /** Offset of each BootstrapMethods row. */
  int[] bootstraps = new int[0];

  private final int[] at; // offset of the tag of each constant, 0 = none
  private int pos;

  RawClass(byte[] bytes) throws Bad {
    b = bytes;
    try {
      if (u4() != 0xCAFEBABE) throw new Bad("no class file", 0);
      minor = u2();
      major = u2();
      if (major < 45) throw new Bad("major version " + major, 6);
      at = new int[u2()];
      pool();
      access = u2();
      name = className(u2());
      int s = u2();
      superName = s == 0 ? null : className(s);
      for (int n = u2(); n > 0; n--) interfaces.add(className(u2()));
      members(fields);
      members(methods);
      for (int n = u2(); n > 0; n--) {
        String attribute = utf8(u2());
        int end = attributeEnd();
        attributes.add(attribute);
        if (attribute.equals("BootstrapMethods")) bootstrapRows();
        pos = end;
      }
    } catch (IndexOutOfBoundsException e) {
      throw new Bad("truncated", pos);
    }
    if (pos != b.length) throw new Bad((b.length - pos) + " bytes behind the class", pos);
  }

  private void pool() throws Bad {
    if (at.length == 0) throw new Bad("constant_pool_count 0", 8);
    for (int i = 1; i < at.length; i++) {
      at[i] = pos;
      int tag = u1();
      switch (tag) {
        case 1 -> {
          int n = u2();
          checkUtf8(pos, n);
          pos += n;
        }
        case 3, 4, 9, 10, 11, 12, 17, 18 -> pos += 4;
        case 7, 8, 16, 19, 20 -> pos += 2;
        case 15 -> pos += 3;
        case 5, 6 -> {
          pos += 8;
          if (++i >= at.length) throw new Bad("8-byte constant in the last slot", pos);
        }
        default -> throw new Bad("constant tag " + tag, pos - 1);
      }
      if (pos > b.length) throw new Bad("truncated", b.length);
    }
    for (int i = 1; i < at.length; i++) {
      if (at[i] == 0) continue;
      switch (b[at[i]]) {
        case 7, 8, 16, 19, 20 -> need(item(i, 1), 1);
        case 9, 10, 11 -> {
          need(item(i, 1), 7);
          need(item(i, 3), 12);
        }
        case 12 -> {
          need(item(i, 1), 1);
          need(item(i, 3), 1);
        }
        case 17, 18 -> need(item(i, 3), 12);
        case 15 -> {
          int kind = b[at[i] + 1];
          int to = tag(item(i, 2));
          boolean fits = switch (kind) {
            case 1, 2, 3, 4 -> to == 9;
            case 5, 8 -> to == 10;
            case 6, 7 -> to == 10 || to == 11;
            case 9 -> to == 11;
            default -> false;
          };
          if (!fits) throw new Bad("method handle of kind " + kind + " to tag " + to, at[i]);
        }
        default -> { }
      }
    }
  }

  /** JVMS 4.4.7 as HotSpot checks it: overlong forms are fine up to major 47. */
  private void checkUtf8(int from, int length) throws Bad {
    int end = from + length;
    if (end > b.length) throw new Bad("truncated", b.length);
    for (int i = from; i < end; ) {
      int c = b[i] & 0xff;
      int n = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : 0;
      boolean good = c != 0 && n != 0 && i + n <= end;
      for (int k = 1; good && k < n; k++) good = (b[i + k] & 0xc0) == 0x80;
      if (good && n == 2 && major > 47) {
        int v = (c & 0x1f) << 6 | b[i + 1] & 0x3f;
        good = v == 0 || v >= 0x80;
      }
      if (good && n == 3 && major > 47) good = ((c & 0xf) << 12 | (b[i + 1] & 0x3f) << 6) >= 0x800;
      if (!good) throw new Bad("bad modified UTF-8", i);
      i += n;
    }
  }

  private void members(List<Member> into) throws Bad {
    Set<String> seen = new HashSet<>();
    for (int n = u2(); n > 0; n--) {
      Member m = new Member();
      m.access = u2();
      m.name = utf8(u2());
      m.desc = utf8(u2());
      if (!seen.add(m.name + ' ' + m.desc)) throw new Bad("member twice: " + m.name + m.desc, pos);
      for (int k = u2(); k > 0; k--) {
        String attribute = utf8(u2());
        int end = attributeEnd();
        m.attributes.add(attribute);
        if (attribute.equals("Code") && into == methods) code(m, end);
        pos = end;
      }
      into.add(m);
    }
  }

  private void code(Member m, int end) throws Bad {
    if (m.codeLength >= 0) throw new Bad("second Code", pos);
    pos += 4;
    m.codeLength = u4();
    if (m.codeLength <= 0 || m.codeLength > 65535) throw new Bad("code length " + m.codeLength, pos - 4);
    pos += m.codeLength;
    for (int n = u2(); n > 0; n--) {
      int[] h = {u2(), u2(), u2(), u2()};
      if (h[0] >= h[1] || h[1] > m.codeLength || h[2] >= m.codeLength) throw new Bad("handler range", pos - 8);
      if (h[3] != 0) need(h[3], 7);
      m.handlers.add(h);
    }
    for (int n = u2(); n > 0; n--) {
      String attribute = utf8(u2());
      int next = attributeEnd();
      if (attribute.equals("LineNumberTable")) {
        for (int k = u2(); k > 0; k--) {
          u2();
          int line = u2();
          if (m.firstLine < 0 || line < m.firstLine) m.firstLine = line;
          if (line > m.lastLine) m.lastLine = line;
        }
        if (pos != next) throw new Bad("LineNumberTable length", pos);
      }
      pos = next;
    }
    if (pos != end) throw new Bad("Code length", pos);
  }

  private void bootstrapRows() throws Bad {
    bootstraps = new int[u2()];
    for (int i = 0; i < bootstraps.length; i++) {
      bootstraps[i] = pos;
      need(u2(), 15);
      int n = u2();
      pos += 2 * n;
    }
  }

  private int attributeEnd() throws Bad {
    int n = u4();
    if (n < 0 || n > b.length - pos) throw new Bad("attribute of " + Integer.toUnsignedString(n) + " bytes", pos - 4);
    return pos + n;
  }

  int tag(int index) throws Bad {
    if (index <= 0 || index >= at.length || at[index] == 0) throw new Bad("constant index " + index, pos);
    return b[at[index]];
  }

  private void need(int index, int tag) throws Bad {
    int t = tag(index);
    if (t != tag) throw new Bad("constant " + index + " has tag " + t + ", not " + tag, pos);
  }

  /** The u2 at the given distance behind the tag of a constant. */
  int item(int index, int distance) {
    return u2At(at[index] + distance);
  }

  int u2At(int offset) {
    return (b[offset] & 0xff) << 8 | b[offset + 1] & 0xff;
  }

  String className(int index) throws Bad {
    need(index, 7);
    return utf8(item(index, 1));
  }

  String utf8(int index) throws Bad {
    need(index, 1);
    int from = at[index] + 3;
    int end = from + item(index, 1);
    StringBuilder s = new StringBuilder(end - from);
    for (int i = from; i < end; ) {
      int c = b[i++] & 0xff;
      if (c < 0x80) s.append((char) c);
      else if (c >> 5 == 6) s.append((char) ((c & 0x1f) << 6 | b[i++] & 0x3f));
      else s.append((char) ((c & 0xf) << 12 | (b[i++] & 0x3f) << 6 | b[i++] & 0x3f));
    }
    return s.toString();
  }

  private int u1() {
    return b[pos++] & 0xff;
  }

  private int u2() {
    return u1() << 8 | u1();
  }

  private int u4() {
    return u2() << 16 | u2();
  }
}
