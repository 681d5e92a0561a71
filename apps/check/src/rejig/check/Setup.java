// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** This installation: the JDK that runs us, the runner's jars, rejig itself, a folder to work in. */
record Setup(Path javaHome, Path ownJar, List<Path> runner, Path rejig, Path work, String tool) {
  record Answer(int exit, String out, String err) {
    boolean ok() {
      return exit == 0;
    }
  }

  List<String> java(List<String> options, Class<?> main, List<String> arguments) {
    List<String> c = new ArrayList<>(List.of(javaHome.resolve("bin/java").toString()));
    c.addAll(options);
    List<String> classPath = new ArrayList<>(List.of(ownJar.toString()));
    for (Path p : runner) classPath.add(p.toString());
    c.addAll(List.of("-cp", String.join(":", classPath), main.getName()));
    c.addAll(arguments);
    return c;
  }

  static String join(List<Path> paths) {
    List<String> s = new ArrayList<>();
    for (Path p : paths) s.add(p.toString());
    return String.join(":", s);
  }

  static Answer call(List<String> command, Path dir, int seconds) throws IOException {
    Path out = Files.createTempFile(dir, "call", ".out");
    Path err = Files.createTempFile(dir, "call", ".err");
    try {
      Process p = new ProcessBuilder(command).directory(dir.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      if (!p.waitFor(seconds, TimeUnit.SECONDS)) {
        p.descendants().forEach(ProcessHandle::destroyForcibly);
        p.destroyForcibly();
        return new Answer(-1, "", "no answer in " + seconds + " s: " + String.join(" ", command));
      }
      return new Answer(p.exitValue(), Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  /** What somebody still writes to stays for the end, which removes everything. */
  static void discard(Path dir) {
    try {
      delete(dir);
    } catch (IOException | UncheckedIOException written) {
      return;
    }
  }

  static void delete(Path dir) throws IOException {
    if (!Files.exists(dir)) return;
    try (var w = Files.walk(dir)) {
      for (Path p : w.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
    }
  }
}
