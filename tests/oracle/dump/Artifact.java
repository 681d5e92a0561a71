// SPDX-License-Identifier: Apache-2.0
package dump;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One artifact: its files with nested archives entered, and which file defines which class name. */
final class Artifact {
  /** Reads the bytes of one file. */
  interface Source {
    byte[] read() throws IOException;
  }

  static final class File {
    final String in; // path inside the artifact, "!/" enters a nested archive
    final boolean found;
    final Source source;

    File(String in, boolean found, Source source) {
      this.in = in;
      this.found = found;
      this.source = source;
    }
  }

  /** Every file of the artifact. */
  final List<File> files = new ArrayList<>();
  /** Archives that cannot be read: "" or a path ending in "!/". */
  final List<String> unreadable = new ArrayList<>();
  /** Class name to the file a class loader would find for it. */
  final Map<String, File> byName = new LinkedHashMap<>();

  private static final int MAX_DEPTH = 8;
  private final Set<File> moduleInfos = new HashSet<>();
  private final int release;
  private boolean isDirectory;

  Artifact(Path path, int release) throws IOException {
    this.release = release;
    if (Files.isDirectory(path)) {
      isDirectory = true;
      directory(path);
      return;
    }
    if (!Files.isRegularFile(path)) throw new IOException(path + ": no file or directory");
    ByteBuffer b = map(path);
    int magic = b.limit() >= 4 ? b.getInt(0) : 0;
    if (magic == 0xCAFEBABE) {
      ByteBuffer bytes = b;
      File f = new File(path.getFileName().toString(), true, () -> bytes(bytes));
      files.add(f);
      define(f, f.in);
    } else if (magic == 0xCAFEDADA || magic == 0xDADAFECA) {
      jimage(b);
    } else {
      boolean jmod = magic >>> 16 == 0x4A4D;
      archive("", new Zip(b, jmod ? 4 : 0), jmod, 0);
    }
  }

  private static ByteBuffer map(Path path) throws IOException {
    try (FileChannel c = FileChannel.open(path)) {
      return c.map(FileChannel.MapMode.READ_ONLY, 0, c.size());
    }
  }

  private static byte[] bytes(ByteBuffer b) {
    byte[] r = new byte[b.limit()];
    b.get(0, r);
    return r;
  }

  /** Is this the file that a class loader would take for the class it holds? */
  boolean uses(File f, String className) {
    return byName.get(className) == f || className.equals("module-info") && moduleInfos.contains(f);
  }

  private void define(File f, String path) {
    if (!f.found || !path.endsWith(".class")) return;
    String name = path.substring(0, path.length() - 6);
    byName.putIfAbsent(name, f);
  }

  private void directory(Path root) throws IOException {
    List<Path> all;
    try (Stream<Path> s = Files.walk(root)) {
      all = s.filter(Files::isRegularFile).toList();
    }
    TreeMap<String, File> sorted = new TreeMap<>();
    for (Path p : all) {
      String in = root.relativize(p).toString();
      sorted.put(in, new File(in, true, () -> Files.readAllBytes(p)));
    }
    content("", new ArrayList<>(sorted.values()), false, 0);
  }

  private void archive(String prefix, Zip zip, boolean jmod, int depth) {
    List<File> own = new ArrayList<>();
    for (Zip.Entry e : zip.entries) {
      if (!e.name.endsWith("/")) own.add(new File(prefix + e.name, e.found, () -> zip.read(e)));
    }
    content(prefix, own, jmod, depth);
  }

  /** Files of one archive or directory, in directory order; its names before those of what is nested in it. */
  private void content(String prefix, List<File> own, boolean jmod, int depth) {
    files.addAll(own);
    for (int v : versions(prefix, own)) below(own, prefix + "META-INF/versions/" + v + "/");
    below(own, prefix);
    if (jmod) below(own, prefix + "classes/");
    below(own, prefix + "BOOT-INF/classes/");
    below(own, prefix + "WEB-INF/classes/");
    if (depth == MAX_DEPTH) return;
    for (File f : own) {
      if (!f.found || !f.in.matches("(?s).*\\.(jar|war|ear|rar)")) continue;
      String inner = f.in + "!/";
      Zip zip;
      try {
        zip = new Zip(ByteBuffer.wrap(f.source.read()), 0);
      } catch (IOException | RuntimeException e) {
        System.err.println(inner + ": " + e);
        unreadable.add(inner);
        continue;
      }
      archive(inner, zip, false, depth + 1);
    }
  }

  private void below(List<File> own, String folder) {
    for (File f : own) {
      if (f.in.startsWith(folder)) define(f, f.in.substring(folder.length()));
    }
  }

  /** The version folders in force, highest first. Directories are never multi-release. */
  private List<Integer> versions(String prefix, List<File> own) {
    List<Integer> result = new ArrayList<>();
    String folder = prefix + "META-INF/versions/";
    File manifest = null;
    boolean any = false;
    for (File f : own) {
      if (f.in.startsWith(folder)) any = true;
      if (f.in.substring(prefix.length()).equalsIgnoreCase("META-INF/MANIFEST.MF") && f.found) manifest = f;
    }
    if (!any || manifest == null || isDirectory) return result;
    try {
      if (!Zip.saysMultiRelease(manifest.source.read())) return result;
    } catch (IOException e) {
      return result;
    }
    for (int v = release; v >= 9; v--) result.add(v);
    return result;
  }

  /** The jimage file of a JDK: header, perfect-hash redirects, offsets, attribute streams, strings, then the bytes. */
  private void jimage(ByteBuffer b) throws IOException {
    b.order(b.getInt(0) == 0xCAFEDADA ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    int table = b.getInt(16);
    int locationsSize = b.getInt(20);
    int stringsSize = b.getInt(24);
    int offsets = 28 + 4 * table;
    int locations = offsets + 4 * table;
    int strings = locations + locationsSize;
    long index = strings + (long) stringsSize;
    TreeMap<String, File> sorted = new TreeMap<>();
    for (int i = 0; i < table; i++) {
      long[] a = new long[8];
      for (int p = locations + b.getInt(offsets + 4 * i); b.get(p) >> 3 != 0; ) {
        int kind = (b.get(p) & 0xff) >> 3;
        int length = (b.get(p++) & 7) + 1;
        for (int k = 0; k < length; k++) a[kind] = a[kind] << 8 | b.get(p++) & 0xff;
      }
      String module = string(b, strings + (int) a[1]);
      if (module.isEmpty() || module.equals("modules") || module.equals("packages")) continue;
      String parent = string(b, strings + (int) a[2]);
      String extension = string(b, strings + (int) a[4]);
      String path = (parent.isEmpty() ? "" : parent + "/") + string(b, strings + (int) a[3])
          + (extension.isEmpty() ? "" : "." + extension);
      if (a[6] != 0) throw new IOException("compressed resource /" + module + "/" + path);
      byte[] bytes = new byte[(int) a[7]];
      long from = index + a[5];
      File f = new File(module + "/" + path, true, () -> {
        b.get(Math.toIntExact(from), bytes);
        return bytes;
      });
      sorted.put(f.in, f);
    }
    for (File f : sorted.values()) {
      files.add(f);
      String path = f.in.substring(f.in.indexOf('/') + 1);
      if (path.equals("module-info.class")) moduleInfos.add(f); // each module is a root of its own
      else define(f, path);
    }
  }

  private static String string(ByteBuffer b, int from) {
    int end = from;
    while (b.get(end) != 0) end++;
    byte[] s = new byte[end - from];
    b.get(from, s);
    return new String(s, StandardCharsets.UTF_8);
  }
}
