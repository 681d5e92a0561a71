// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The methods of a class file as text: flags that matter, instructions with their constants written out, handlers. No line numbers, no pool indices. */
final class ClassText {
  private static final String CONSTANT_USERS = " 18 19 20 178 179 180 181 182 183 184 185 186 187 189 192 193 197 ";
  private static final int[] LENGTHS = lengths();

  private final DataInputStream in;
  private final Object[] pool;
  private final Map<String, String> methods = new TreeMap<>();
  private String name;
  private String[] bootstraps = new String[0];

  /** {@code a.b.C.m(desc)} to its text. */
  static Map<String, String> methods(byte[] bytes) {
    try {
      return new ClassText(bytes).methods;
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("not a class file: " + e, e);
    }
  }

  private ClassText(byte[] bytes) throws IOException {
    in = new DataInputStream(new ByteArrayInputStream(bytes));
    in.skipBytes(8);
    pool = new Object[in.readUnsignedShort()];
    for (int i = 1; i < pool.length; i++) i += constant(i);
    in.readUnsignedShort();
    name = text(in.readUnsignedShort()).replace('/', '.');
    in.readUnsignedShort();
    for (int n = in.readUnsignedShort(); n > 0; n--) in.readUnsignedShort();
    Map<String, byte[]> codes = new TreeMap<>();
    Map<String, Integer> flags = new TreeMap<>();
    for (int kind = 0; kind < 2; kind++) {
      for (int n = in.readUnsignedShort(); n > 0; n--) {
        int access = in.readUnsignedShort();
        String id = name + "." + text(in.readUnsignedShort()) + text(in.readUnsignedShort());
        byte[] code = attribute("Code");
        if (kind == 0) continue;
        // static, synchronized, native, abstract
        flags.put(id, access & 0x0528);
        codes.put(id, code == null ? new byte[0] : code);
      }
    }
    byte[] b = attribute("BootstrapMethods");
    if (b != null) readBootstraps(b);
    for (var e : codes.entrySet()) methods.put(e.getKey(), flags.get(e.getKey()) + " " + (e.getValue().length == 0 ? "" : code(e.getValue())));
  }

  /** Extra slots taken. */
  private int constant(int i) throws IOException {
    int tag = in.readUnsignedByte();
    switch (tag) {
      case 1 -> pool[i] = in.readUTF();
      case 3 -> pool[i] = "int " + in.readInt();
      case 4 -> pool[i] = "float " + in.readInt();
      case 5 -> pool[i] = "long " + in.readLong();
      case 6 -> pool[i] = "double " + in.readLong();
      case 7, 8, 16, 19, 20 -> pool[i] = new int[] {tag, in.readUnsignedShort()};
      case 15 -> pool[i] = new int[] {tag, in.readUnsignedByte(), in.readUnsignedShort()};
      default -> pool[i] = new int[] {tag, in.readUnsignedShort(), in.readUnsignedShort()};
    }
    return tag == 5 || tag == 6 ? 1 : 0;
  }

  private String text(int i) {
    if (pool[i] instanceof String s) return s;
    if (!(pool[i] instanceof int[] c)) return "?";
    return switch (c[0]) {
      case 7, 19, 20 -> text(c[1]);
      case 8 -> "\"" + text(c[1]) + "\"";
      case 16 -> "type " + text(c[1]);
      case 15 -> "handle " + c[1] + " " + text(c[2]);
      case 17, 18 -> "dynamic " + (c[1] < bootstraps.length ? bootstraps[c[1]] : "") + " " + text(c[2]);
      case 12 -> text(c[1]) + " " + text(c[2]);
      default -> text(c[1]) + "." + text(c[2]);
    };
  }

  private byte[] attribute(String wanted) throws IOException {
    byte[] out = null;
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      boolean it = text(in.readUnsignedShort()).equals(wanted);
      byte[] b = new byte[in.readInt()];
      in.readFully(b);
      if (it) out = b;
    }
    return out;
  }

  private void readBootstraps(byte[] b) throws IOException {
    DataInputStream d = new DataInputStream(new ByteArrayInputStream(b));
    String[] out = new String[d.readUnsignedShort()];
    for (int i = 0; i < out.length; i++) {
      StringBuilder s = new StringBuilder(text(d.readUnsignedShort()));
      for (int n = d.readUnsignedShort(); n > 0; n--) s.append(", ").append(text(d.readUnsignedShort()));
      out[i] = s.toString();
    }
    bootstraps = out;
  }

  private static int u2(byte[] b, int at) {
    return (b[at] & 255) << 8 | b[at + 1] & 255;
  }

  private static int s4(byte[] b, int at) {
    return u2(b, at) << 16 | u2(b, at + 2);
  }

  private String code(byte[] b) {
    StringBuilder s = new StringBuilder();
    int length = s4(b, 4);
    int end = 8 + length;
    for (int at = 8; at < end;) {
      int op = b[at] & 255;
      int size = size(b, at, op);
      s.append(op);
      if (CONSTANT_USERS.contains(" " + op + " ")) {
        s.append(' ').append(text(op == 18 ? b[at + 1] & 255 : u2(b, at + 1)));
        for (int k = at + 3; k < at + size; k++) s.append(' ').append(b[k]);
      } else {
        for (int k = at + 1; k < at + size; k++) s.append(' ').append(b[k]);
      }
      s.append('\n');
      at += size;
    }
    int handlers = u2(b, end);
    for (int i = 0; i < handlers; i++) {
      int at = end + 2 + 8 * i;
      int type = u2(b, at + 6);
      s.append("try ").append(u2(b, at)).append(' ').append(u2(b, at + 2)).append(' ').append(u2(b, at + 4)).append(' ').append(type == 0 ? "any" : text(type)).append('\n');
    }
    return s.toString();
  }

  private static int size(byte[] b, int at, int op) {
    // Code starts at 8, so that padding is the same as in the method.
    int padded = (at + 4) & ~3;
    if (op == 170) return padded + 12 + 4 * (s4(b, padded + 8) - s4(b, padded + 4) + 1) - at;
    if (op == 171) return padded + 8 + 8 * s4(b, padded + 4) - at;
    if (op == 196) return (b[at + 1] & 255) == 132 ? 6 : 4;
    return LENGTHS[op];
  }

  private static int[] lengths() {
    int[] l = new int[256];
    java.util.Arrays.fill(l, 1);
    for (int op : new int[] {16, 18, 21, 22, 23, 24, 25, 54, 55, 56, 57, 58, 169, 188}) l[op] = 2;
    for (int op : new int[] {17, 19, 20, 132, 187, 189, 192, 193, 198, 199}) l[op] = 3;
    for (int op = 153; op <= 168; op++) l[op] = 3;
    for (int op = 178; op <= 184; op++) l[op] = 3;
    l[185] = l[186] = l[200] = l[201] = 5;
    l[197] = 4;
    return l;
  }
}
