// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDKs of this machine: the running one, and a JDK 25 from JDK25_HOME or beside it. */
final class Jdks {
  record Jdk(Path home, int feature) {}

  private Jdks() {}

  static Jdk running() throws IOException {
    return new Jdk(Path.of(System.getProperty("java.home")).toRealPath(), Runtime.version().feature());
  }

  static Jdk jdk25() throws IOException {
    List<Path> places = new ArrayList<>();
    String env = System.getenv("JDK25_HOME");
    if (env != null && !env.isEmpty()) places.add(Path.of(env));
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(running().home().getParent())) {
      for (Path p : siblings) places.add(p);
    }
    places.subList(env != null && !env.isEmpty() ? 1 : 0, places.size()).sort(null);
    for (Path p : places) {
      Path release = p.resolve("release");
      if (Files.isReadable(release) && Files.readString(release).contains("JAVA_VERSION=\"25") && Files.isExecutable(p.resolve("bin/javac"))) return new Jdk(p.toRealPath(), 25);
    }
    return null;
  }
}
