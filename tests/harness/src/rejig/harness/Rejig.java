// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The program under proof, called as a user would: rows imported into a store, then a selection. */
final class Rejig {
  /** {@code why}: of a selection made here, the dangerous edges that selected each test. */
  record Selection(boolean all, Set<String> ids, String error, Map<String, Set<String>> why) {
    Selection(boolean all, Set<String> ids, String error) {
      this(all, ids, error, Map.of());
    }

    boolean has(String id) {
      return all || ids.contains(id);
    }

    boolean hasClass(String testClass) {
      return all || ids.stream().anyMatch(i -> i.startsWith(testClass + "#"));
    }
  }

  private final Path binary;
  /** Ask every question a second time with {@code --walk}; another answer is an error. */
  boolean alsoByWalk;

  Rejig(Path binary) {
    this.binary = binary;
  }

  static final String NARROW = "no-library-changes,no-missing-lookups,no-reflection,no-resources,no-stack-traces";

  /** Null when the rows are in {@code store} now. */
  String store(Path dir, Path matrix) throws IOException {
    Path store = database(matrix);
    Files.deleteIfExists(store);
    return call(dir, new String[1], List.of("coverage", "import", "--format", "ndjson", matrix.toString(), "--store", store.toString()), 0);
  }

  /** Null when {@code store} has the rows that `rejig record` made of all tests of a program, each run in a class loader of its own. */
  String record(Path dir, Path store, List<Path> internal, List<Path> external, boolean modular, boolean receivers, Jdks.Jdk jdk, int seconds)
      throws IOException {
    Files.deleteIfExists(store);
    Path harness = Path.of(System.getProperty("rejig.harness.jar"));
    List<String> cmd = new ArrayList<>(List.of(binary.toString(), "record", "--store", store.toString(), "--internal-root", join(internal)));
    if (receivers) cmd.add("--receivers");
    cmd.addAll(List.of("--",
        jdk.home().resolve("bin/java").toString(), "-Xbootclasspath/a:" + harness.resolveSibling("recorder-boot.jar"), "-ea", "-Xmx1g", "-Xss1m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Duser.language=en", "-Duser.country=US",
        "-Dfile.encoding=UTF-8", "-cp", System.getProperty("java.class.path"), "rejig.harness.Alone", join(internal), join(external), modular ? "modular" : "plain"));
    Path said = dir.resolve("record.err");
    Process p = new ProcessBuilder(cmd).directory(dir.toFile()).redirectOutput(dir.resolve("record.out").toFile()).redirectError(said.toFile()).start();
    try {
      if (!p.waitFor(seconds, TimeUnit.SECONDS)) {
        p.destroyForcibly();
        return "hang: record";
      }
    } catch (InterruptedException e) {
      p.destroyForcibly();
      return "interrupted";
    }
    return Files.exists(store) ? null : "exit " + p.exitValue() + " of record: " + Files.readString(said).strip().replace('\n', ' ');
  }

  /** The rows of a store in the matrix exchange. */
  String export(Path dir, Path store, String[] out) throws IOException {
    return call(dir, out, List.of("coverage", "export", "--format", "ndjson", "--store", store.toString()), 0);
  }

  private static Path database(Path matrix) {
    return matrix.resolveSibling(matrix.getFileName().toString().replace(".ndjson", ".db"));
  }

  /** Of the rows of {@code matrix}, which must be in their store already. */
  Selection select(Path dir, Path matrix, String assume, List<Path> oldRoots, List<Path> newRoots, List<Path> oldLib, List<Path> newLib, Jdks.Jdk oldJdk, Jdks.Jdk newJdk)
      throws IOException {
    return select(dir, matrix, assume, "method", oldRoots, newRoots, oldLib, newLib, oldJdk, newJdk);
  }

  /** In that view. */
  Selection select(Path dir, Path matrix, String assume, String view, List<Path> oldRoots, List<Path> newRoots, List<Path> oldLib, List<Path> newLib, Jdks.Jdk oldJdk,
      Jdks.Jdk newJdk) throws IOException {
    Path store = database(matrix);
    List<String> args = inputs("select", oldRoots, newRoots, oldLib, newLib, oldJdk, newJdk);
    args.addAll(List.of("--coverage", store.toString(), "--format", "ids"));
    for (String a : assume.split(",")) if (!a.isEmpty()) args.addAll(List.of("--assume", a));
    if (!view.equals("method")) args.addAll(List.of("--view", view));
    Selection one = selected(dir, args);
    // An assumption narrows the same edges.
    if (!alsoByWalk || !assume.isEmpty() || one.error() != null) return one;
    args.add("--walk");
    Selection other = selected(dir, args);
    if (other.error() != null || (other.ids().equals(one.ids()) && other.all() == one.all())) return other;
    return new Selection(false, Set.of(), "--walk selects others: " + only(other.ids(), one.ids()) + " and not " + only(one.ids(), other.ids()) + " of " + matrix.getFileName());
  }

  private static Set<String> only(Set<String> a, Set<String> b) {
    Set<String> out = new TreeSet<>(a);
    out.removeAll(b);
    return out;
  }

  private Selection selected(Path dir, List<String> args) throws IOException {
    String[] out = new String[1];
    String e = call(dir, out, args, 0);
    if (e != null) return new Selection(false, Set.of(), e);
    Set<String> ids = new TreeSet<>();
    boolean all = false;
    for (String l : out[0].split("\n")) {
      if (l.startsWith("# all")) all = true;
      if (l.startsWith("# all") && l.contains("cannot be used")) return new Selection(true, Set.of(), l);
      else if (!l.isBlank() && !l.startsWith("#")) ids.add(l.strip());
    }
    return new Selection(all, ids, null);
  }

  /** The same question answered here from the dangerous edges of `rejig diff`, with rows as plain sets: the model that `select` is compared with. */
  Selection bySets(Path dir, Collection<TestRun.Row> rows, World old, List<Path> oldRoots, List<Path> newRoots, List<Path> oldLib, List<Path> newLib, Jdks.Jdk oldJdk,
      Jdks.Jdk newJdk) throws IOException {
    String[] out = new String[1];
    List<String> args = inputs("diff", oldRoots, newRoots, oldLib, newLib, oldJdk, newJdk);
    args.addAll(List.of("--format", "json"));
    String e = call(dir, out, args, 1);
    if (e != null) return new Selection(false, Set.of(), e);
    Set<String> ids = new TreeSet<>();
    Map<String, Set<String>> why = new TreeMap<>();
    for (Object edge : Json.list(Json.object(Json.parse(out[0])).get("edges"))) {
      for (Object conjunction : Json.list(Json.object(edge).get("atoms"))) {
        for (TestRun.Row r : rows) {
          if (!Json.list(conjunction).stream().allMatch(a -> holds((String) a, r, old))) continue;
          ids.add(r.id());
          Map<String, Object> x = Json.object(edge);
          why.computeIfAbsent(r.id(), k -> new TreeSet<>()).add(x.get("rule") + " " + x.get("why") + " " + conjunction);
        }
      }
    }
    return new Selection(false, ids, null, why);
  }

  /** A program against itself: null when rejig finds no difference. */
  String itself(Path dir, List<Path> roots, List<Path> lib, Jdks.Jdk jdk) throws IOException {
    List<String> args = inputs("diff", roots, roots, lib, lib, jdk, jdk);
    String e = call(dir, new String[1], args, 0);
    if (e != null || !alsoByWalk) return e == null ? null : "against itself: " + e;
    args.add("--walk");
    e = call(dir, new String[1], args, 0);
    return e == null ? null : "against itself by --walk: " + e;
  }

  /** Null when the edges are those that are found by asking of every class. */
  String exhaustively(Path dir, List<Path> oldRoots, List<Path> newRoots, List<Path> lib, Jdks.Jdk jdk) throws IOException {
    List<String> args = inputs("diff", oldRoots, newRoots, lib, lib, jdk, jdk);
    args.addAll(List.of("--format", "ndjson"));
    String[] edges = new String[1];
    String[] all = new String[1];
    String e = call(dir, edges, args, 1);
    args.add("--exhaustive");
    if (e == null) e = call(dir, all, args, 1);
    return e != null || edges[0].equals(all[0]) ? e : "asked exhaustively, other edges";
  }

  private static boolean holds(String atom, TestRun.Row row, World old) {
    int colon = atom.indexOf(':');
    String kind = colon < 0 ? atom : atom.substring(0, colon);
    if (kind.equals("test")) return atom.substring(5).equals(row.id());
    if (kind.equals("testclass")) return old.chain(row.id().substring(0, row.id().indexOf('#'))).contains(atom.substring(10));
    return !Matrix.ALL_FACTS.contains(kind) || row.atoms().contains(atom);
  }

  private static List<String> inputs(String command, List<Path> oldRoots, List<Path> newRoots, List<Path> oldLib, List<Path> newLib, Jdks.Jdk oldJdk, Jdks.Jdk newJdk) {
    List<String> args = new ArrayList<>(List.of(command, join(oldRoots), join(newRoots)));
    if (!oldLib.isEmpty()) args.addAll(List.of("--old-lib", join(oldLib)));
    if (!newLib.isEmpty()) args.addAll(List.of("--new-lib", join(newLib)));
    if (oldJdk.equals(newJdk)) args.addAll(List.of("--jdk", oldJdk.home().toString()));
    else args.addAll(List.of("--old-jdk", oldJdk.home().toString(), "--new-jdk", newJdk.home().toString()));
    return args;
  }

  /** Null when it exited with 0 or {@code also}. */
  private String call(Path dir, String[] out, List<String> args, int also) throws IOException {
    List<String> cmd = new ArrayList<>(List.of(binary.toString()));
    cmd.addAll(args);
    Path stdout = dir.resolve("rejig.out");
    Path stderr = dir.resolve("rejig.err");
    // The plain selection is what others repeat (tests/cli/compare_views.py).
    boolean plain = args.get(0).equals("select") && !args.contains("--assume") && !args.contains("--walk") && !args.contains("--view");
    Files.writeString(dir.resolve(plain ? "rejig.cmd" : "rejig-" + args.get(0) + ".cmd"), String.join(" ", cmd) + "\n");
    Process p = new ProcessBuilder(cmd).directory(dir.toFile()).redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
    try {
      if (!p.waitFor(300, TimeUnit.SECONDS)) {
        p.destroyForcibly();
        return "hang: " + args.get(0);
      }
    } catch (InterruptedException e) {
      p.destroyForcibly();
      return "interrupted";
    }
    out[0] = Files.readString(stdout);
    if (p.exitValue() == 0 || p.exitValue() == also) return null;
    return "exit " + p.exitValue() + " of " + args.get(0) + ": " + Files.readString(stderr).strip().replace('\n', ' ');
  }

  private static String join(List<Path> paths) {
    List<String> s = new ArrayList<>();
    for (Path p : paths) s.add(p.toString());
    return String.join(":", s);
  }
}
