// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Does this JVM run each of these class files? LoadAll DIR: a line `NAME ok` or `NAME ERROR` for each file of DIR. */
public final class LoadAll {
  private static final class One extends ClassLoader {
    Class<?> define(byte[] b) {
      return defineClass(null, b, 0, b.length);
    }
  }

  public static void main(String[] args) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(args[0]))) {
      files = all.sorted().toList();
    }
    for (Path f : files) {
      String verdict = "ok";
      try {
        Class<?> c = new One().define(Files.readAllBytes(f));
        Class.forName(c.getName(), true, c.getClassLoader());
      } catch (LinkageError e) {
        verdict = e.getClass().getSimpleName() + " " + e.getMessage();
      }
      System.out.println(f.getFileName() + " " + verdict.replace('\n', ' '));
    }
  }
}
