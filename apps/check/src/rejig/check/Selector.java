// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The selector under test: `rejig select`, or a command that speaks the protocol of README.md. */
final class Selector {
  /** {@code error}: null when it answered. {@code rules}: why each test was selected, for a selector that says so. */
  record Answer(boolean all, Map<String, Set<String>> rules, String error, String why) {
    boolean has(String id) {
      return all || rules.containsKey(id);
    }
  }

  private static final Pattern TEST = Pattern.compile("\"test\":\"([^\"]*)\"");
  private static final Pattern RULE = Pattern.compile("\"rule\":\"([^\"]*)\"");
  private static final Pattern REASON = Pattern.compile("\"reasons\":\\[\"([^\"]*)\"");

  private final Setup setup;

  Selector(Setup setup) {
    this.setup = setup;
  }

  boolean foreign() {
    return setup.tool() != null;
  }

  Answer select(Path dir, Path old, Path now, Path library, Path store, Path rows) throws IOException {
    List<String> c;
    if (foreign()) {
      c = List.of("sh", "-c", setup.tool() + " \"$@\"", "sh", old.toString(), now.toString(), rows.toString());
    } else {
      List<Path> libraries = new ArrayList<>(List.of(library));
      libraries.addAll(setup.runner());
      c = List.of(setup.rejig().toString(), "-q", "select", old.toString(), now.toString(), "--lib", Setup.join(libraries), "--jdk", setup.javaHome().toString(), "--coverage",
          store.toString(), "--format", "ndjson");
    }
    Setup.Answer a = Setup.call(c, dir, 300);
    if (!a.ok()) return new Answer(false, Map.of(), "exit " + a.exit() + ": " + a.err().strip(), "");
    return foreign() ? list(a.out()) : ours(a.out());
  }

  private static Answer list(String text) {
    Map<String, Set<String>> tests = new TreeMap<>();
    boolean all = false;
    String why = "";
    for (String l : text.split("\n")) {
      if (l.startsWith("# all")) all = true;
      if (l.startsWith("# all:") && why.isEmpty()) why = " (" + l.substring(6).strip() + ")";
      if (!l.isBlank() && !l.startsWith("#")) tests.put(l.strip(), Set.of());
    }
    return new Answer(all, tests, null, why);
  }

  private static Answer ours(String text) {
    Map<String, Set<String>> tests = new TreeMap<>();
    boolean all = false;
    String why = "";
    String last = "";
    for (String l : text.split("\n")) {
      last = l;
      if (l.startsWith("{\"type\":\"header\"") && l.contains("\"mode\":\"all\"")) {
        all = true;
        Matcher reason = REASON.matcher(l);
        why = reason.find() ? " (" + reason.group(1) + ")" : "";
      }
      if (!l.startsWith("{\"type\":\"selected\"")) continue;
      Matcher test = TEST.matcher(l);
      if (!test.find()) return new Answer(false, Map.of(), "not understood: " + l, "");
      Set<String> rules = new TreeSet<>();
      for (Matcher m = RULE.matcher(l); m.find();) rules.add(m.group(1));
      tests.put(test.group(1), rules);
    }
    if (!last.startsWith("{\"type\":\"end\"")) return new Answer(false, Map.of(), "the answer has no end", "");
    return new Answer(all, tests, null, why);
  }

  /** Runs the tests of {@code root} below the recorder; null when that worked. */
  String record(Path dir, Path root, Path library, Path tests, Path store, Path outcomes) throws IOException {
    Files.deleteIfExists(outcomes);
    List<String> c = new ArrayList<>(List.of(setup.rejig().toString(), "-q", "record", "--store", store.toString(), "--internal-root", root.toString(), "--"));
    c.addAll(setup.java(List.of("-Xmx600m", "-Xss1m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash"), RecordedTests.class,
        List.of(root.toString(), library.toString(), tests.toString(), outcomes.toString())));
    Setup.Answer a = Setup.call(c, dir, 600);
    return a.ok() ? null : "the recorded run ended with " + a.exit() + ": " + a.err().strip();
  }

  String export(Path dir, Path store, Path rows) throws IOException {
    Setup.Answer a = Setup.call(List.of(setup.rejig().toString(), "-q", "coverage", "export", "--format", "ndjson", "--store", store.toString(), "-o", rows.toString()), dir, 120);
    return a.ok() ? null : "export ended with " + a.exit() + ": " + a.err().strip();
  }
}
