// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes a study (a TOML file of `rejig study`) whose versions are mutants of libraries: each is a folder with one changed class in front of the library's jar. Options: --work
 * (not used), --list FILE --artifacts DIR --out DIR. A line of the list: name version mutants-of-a-kind seed seconds [library ...]. The same list makes the same study.
 */
public final class StudyMutants {
  private final Path artifacts;
  private final Path out;
  private final StringBuilder toml = new StringBuilder();
  private int written;

  private StudyMutants(Path artifacts, Path out) {
    this.artifacts = artifacts;
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    Path list = null;
    Path artifacts = null;
    Path out = null;
    for (int i = 0; i + 1 < args.length; i += 2) {
      Path value = Path.of(args[i + 1]).toAbsolutePath();
      switch (args[i]) {
        case "--list" -> list = value;
        case "--artifacts" -> artifacts = value;
        case "--out" -> out = value;
        case "--work" -> { }
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    StudyMutants study = new StudyMutants(artifacts, out);
    study.toml.append("command = [\"java\", \"-Xmx1g\", \"-XX:+UseSerialGC\", \"-XX:TieredStopAtLevel=1\", \"-cp\", \"{classpath}:{artifacts}/junit-platform-console-standalone-1.10.5.jar\",\n"
        + "           \"org.junit.platform.console.ConsoleLauncher\", \"--disable-banner\", \"--details=none\", \"--scan-class-path\", \"{tests}\", \"--reports-dir\", \"{reports}\"]\n");
    for (String line : Files.readAllLines(list)) {
      if (!line.isBlank() && !line.startsWith("#")) study.program(line.trim().split("\\s+"));
    }
    Files.createDirectories(out);
    Files.writeString(out.resolve("mutants.toml"), study.toml);
    System.out.println(study.written + " mutants");
  }

  private void program(String[] f) throws IOException {
    String name = f[0];
    String jar = name + "-" + f[1] + ".jar";
    String tests = name + "-" + f[1] + "-tests.jar";
    List<String> libraries = new ArrayList<>();
    for (int i = 5; i < f.length; i++) libraries.add(quote(f[i] + ".jar"));
    List<Mutator.Mutant> mutants = Mutator.choose(new World(List.of(artifacts.resolve(jar)), List.of()).internalClasses(), Integer.parseInt(f[2]), Long.parseLong(f[3]));
    toml.append("\n[[program]]\nname = ").append(quote(name)).append("\nbaseline = \"first\"\nseconds = ").append(Integer.parseInt(f[4])).append("\nlib = [").append(String.join(", ", libraries))
        .append("]\nversion = [\n  { name = ").append(quote(f[1])).append(", jars = [").append(quote(jar)).append("], tests = [").append(quote(tests)).append("] },\n");
    int n = 0;
    for (Mutator.Mutant m : mutants) {
      String version = String.format(Locale.ROOT, "m%04d", n++);
      Path overlay = out.resolve(name).resolve(version);
      Path file = overlay.resolve(m.name() + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, m.bytes());
      Files.writeString(out.resolve(name).resolve(version + ".txt"), m.kind() + "\t" + m.what() + "\n");
      toml.append("  { name = ").append(quote(version)).append(", kind = ").append(quote(m.kind())).append(", jars = [").append(quote(overlay.toString())).append(", ").append(quote(jar))
          .append("], tests = [").append(quote(tests)).append("] },\n");
    }
    toml.append("]\n");
    written += n;
  }

  private static String quote(String s) {
    return "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
