// SPDX-License-Identifier: Apache-2.0
package dump;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The central directory of a zip, walked by its size as the JVM does; of entries with one name the last is found. */
final class Zip {
  static final class Entry {
    String name;
    boolean found = true;
    int method;
    int flags;
    long packed;
    long size;
    long local;
  }

  final List<Entry> entries = new ArrayList<>();
  private final ByteBuffer b;
  private final long start; // where offset 0 of the archive lies in the file

  Zip(ByteBuffer file, int prefix) throws IOException {
    b = file.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int end = endRecord();
    long size = b.getInt(end + 12) & 0xffffffffL;
    long offset = b.getInt(end + 16) & 0xffffffffL;
    long behind = end;
    if (end >= 20 && b.getInt(end - 20) == 0x07064b50) {
      int z = Math.toIntExact(b.getLong(end - 12)) + prefix;
      if (z >= 0 && z + 56 <= end && b.getInt(z) == 0x06064b50) {
        size = b.getLong(z + 40);
        offset = b.getLong(z + 48);
        behind = z;
      }
    }
    long directory = behind - size;
    start = directory - offset;
    if (directory < 0 || start < 0) throw new IOException("central directory lies outside the file");
    int p = (int) directory;
    Map<String, Entry> last = new HashMap<>();
    while (p + 46 <= behind) {
      if (b.getInt(p) != 0x02014b50) throw new IOException("no central header at " + p);
      Entry e = new Entry();
      e.flags = u2(p + 8);
      e.method = u2(p + 10);
      e.packed = b.getInt(p + 20) & 0xffffffffL;
      e.size = b.getInt(p + 24) & 0xffffffffL;
      e.local = b.getInt(p + 42) & 0xffffffffL;
      int nameLength = u2(p + 28);
      int extraLength = u2(p + 30);
      byte[] name = new byte[nameLength];
      b.get(p + 46, name);
      e.name = text(name);
      zip64(e, p + 46 + nameLength, extraLength);
      Entry hidden = last.put(e.name, e);
      if (hidden != null) hidden.found = false;
      entries.add(e);
      p += 46 + nameLength + extraLength + u2(p + 32);
    }
  }

  private int endRecord() throws IOException {
    for (int p = b.limit() - 22; p >= 0 && p >= b.limit() - 22 - 65535; p--) {
      if (b.getInt(p) == 0x06054b50 && p + 22 + u2(p + 20) <= b.limit()) return p;
    }
    throw new IOException("no zip end record");
  }

  private void zip64(Entry e, int from, int length) {
    for (int p = from; p + 4 <= from + length; p += 4 + u2(p + 2)) {
      if (u2(p) != 1) continue;
      int q = p + 4;
      if (e.size == 0xffffffffL) {
        e.size = b.getLong(q);
        q += 8;
      }
      if (e.packed == 0xffffffffL) {
        e.packed = b.getLong(q);
        q += 8;
      }
      if (e.local == 0xffffffffL) e.local = b.getLong(q);
    }
  }

  byte[] read(Entry e) throws IOException {
    if ((e.flags & 1) != 0) throw new IOException("encrypted");
    int p = Math.toIntExact(start + e.local);
    if (b.getInt(p) != 0x04034b50) throw new IOException("no local header at " + p);
    byte[] packed = new byte[Math.toIntExact(e.packed)];
    b.get(p + 30 + u2(p + 26) + u2(p + 28), packed);
    if (e.method == 0) return packed;
    if (e.method != 8) throw new IOException("compression method " + e.method);
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed);
      byte[] out = new byte[Math.toIntExact(e.size)];
      int n = 0;
      while (n < out.length && !inflater.finished()) {
        int k = inflater.inflate(out, n, out.length - n);
        if (k == 0) break;
        n += k;
      }
      if (n != out.length || !inflater.finished() && inflater.inflate(new byte[1]) != 0) {
        throw new IOException("inflates to another size than " + e.size);
      }
      return out;
    } catch (DataFormatException x) {
      throw new IOException(x);
    } finally {
      inflater.end();
    }
  }

  /** A name that is not UTF-8 keeps its ASCII bytes; each other byte XX becomes the lone surrogate U+DCXX. */
  private static String text(byte[] name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      StringBuilder s = new StringBuilder();
      for (byte c : name) s.append(c >= 0 ? (char) c : (char) (0xdc00 | c & 0xff));
      return s.toString();
    }
  }

  /** Asks the running JVM's own JarFile about a manifest. */
  static boolean saysMultiRelease(byte[] manifest) throws IOException {
    Path jar = Files.createTempFile("manifest", ".jar");
    try {
      try (OutputStream o = Files.newOutputStream(jar); ZipOutputStream z = new ZipOutputStream(o)) {
        z.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
        z.write(manifest);
        z.closeEntry();
        z.putNextEntry(new ZipEntry("META-INF/versions/9/x"));
        z.closeEntry();
      }
      try (JarFile j = new JarFile(jar.toFile())) {
        return j.isMultiRelease();
      }
    } finally {
      Files.delete(jar);
    }
  }

  private int u2(int p) {
    return b.getShort(p) & 0xffff;
  }
}
