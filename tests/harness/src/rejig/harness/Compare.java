// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Are the rows of the product's agent those of the reference recorder, test by test? The whole suite of a library, each test in a class loader of its own, once under
 * each of them. A fact that the reference has and the product lacks is a bug unless {@code --explained FILE} has a line for it; what the product has beside is counted.
 *
 * <p>Options: --name NAME --internal PATHS --external PATHS --rejig BINARY --work DIR [--explained FILE].
 */
public final class Compare {
  private static final List<String> KINDS = List.of("m", "recv", "inst", "init", "load", "miss", "refl", "res", "resmiss", "stackapi");

  private record Count(int reference, int missing, int more) {}

  private Compare() {}

  public static void main(String[] args) throws Exception {
    String name = "";
    Path work = null;
    Rejig rejig = null;
    List<Path> internal = List.of();
    List<Path> external = List.of();
    List<String[]> explained = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--name" -> name = args[++i];
        case "--internal" -> internal = Worker.paths(args[++i]);
        case "--external" -> external = Worker.paths(args[++i]);
        case "--rejig" -> rejig = new Rejig(Path.of(args[++i]).toAbsolutePath());
        case "--work" -> work = Path.of(args[++i]).toAbsolutePath();
        case "--explained" -> {
          for (String l : Files.readAllLines(Path.of(args[++i]))) if (!l.startsWith("#") && !l.isBlank()) explained.add(l.strip().split(" +", 3));
        }
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    System.exit(run(name, work.resolve(name), rejig, internal, external, explained) ? 0 : 1);
  }

  private static boolean run(String name, Path dir, Rejig rejig, List<Path> internal, List<Path> external, List<String[]> explained) throws IOException {
    Lab.delete(dir);
    Files.createDirectories(dir);
    Path out = dir.resolve("reference.run");
    try (WorkerProcess worker = new WorkerProcess(Jdks.running(), dir, List.of(), 1500)) {
      String a = worker.ask("run", "record", Lab.join(internal), Lab.join(external), out.toString());
      if (!a.equals("ok")) throw new IOException(name + ": the reference run: " + a);
    }
    Map<String, TestRun.Row> reference = TestRun.read(out);
    Path store = dir.resolve("rows.db");
    String e = rejig.record(dir, store, internal, external, false, true, Jdks.running(), 1500);
    String[] exported = new String[1];
    if (e == null) e = rejig.export(dir, store, exported);
    if (e != null) throw new IOException(name + ": " + e);
    Map<String, Set<String>> product = new TreeMap<>();
    for (String line : exported[0].split("\n")) {
      Map<String, Object> row = Json.object(Json.parse(line));
      if (!row.containsKey("test")) continue;
      Set<String> atoms = new TreeSet<>();
      for (Object a : Json.list(row.get("atoms"))) atoms.add((String) a);
      product.put((String) row.get("test"), atoms);
    }
    return report(name, dir, reference, product, new World(internal, external), explained);
  }

  private static boolean report(String name, Path dir, Map<String, TestRun.Row> reference, Map<String, Set<String>> product, World world, List<String[]> explained)
      throws IOException {
    Map<String, Count> counts = new TreeMap<>();
    Map<String, Set<String>> missing = new TreeMap<>();
    Map<String, Set<String>> more = new TreeMap<>();
    int equal = 0;
    int compared = 0;
    int noRow = 0;
    for (TestRun.Row r : reference.values()) {
      if (!product.containsKey(r.id())) {
        // Tests that were ignored, or whose class cannot be run, have no row.
        if (r.outcome().startsWith("pass")) missing.computeIfAbsent("row", k -> new TreeSet<>()).add(r.id());
        noRow++;
        continue;
      }
      compared++;
      Set<String> has = product.get(r.id());
      boolean same = true;
      for (String kind : KINDS) {
        Set<String> a = of(kind, r.atoms(), world);
        Set<String> b = of(kind, has, world);
        Set<String> lacks = new TreeSet<>(a);
        lacks.removeAll(b);
        // The reference does not tell questions for the kind of a class from others.
        lacks.removeIf(x -> b.contains(x + "|kind"));
        // The product names a file that is in no root by its path and state.
        if (kind.startsWith("res")) lacks.removeIf(x -> has.stream().anyMatch(h -> h.startsWith("res") && h.contains("/" + x.substring(x.indexOf(':') + 1))));
        Set<String> beside = new TreeSet<>(b);
        beside.removeAll(a);
        for (String x : lacks) missing.computeIfAbsent(x, k -> new TreeSet<>()).add(r.id());
        for (String x : beside) more.computeIfAbsent(x, k -> new TreeSet<>()).add(r.id());
        if (kind.equals("m") && !(lacks.isEmpty() && beside.isEmpty())) same = false;
        counts.merge(kind, new Count(a.size(), lacks.size(), beside.size()),
            (x, y) -> new Count(x.reference + y.reference, x.missing + y.missing, x.more + y.more));
      }
      if (same) equal++;
    }
    Map<String, String> why = new TreeMap<>();
    int open = 0;
    StringBuilder details = new StringBuilder();
    for (var m : missing.entrySet()) {
      String reason = reason(name, m.getKey(), explained);
      if (reason == null) open++;
      details.append("missing ").append(m.getKey()).append(" in ").append(m.getValue().size()).append(" tests, as ").append(m.getValue().iterator().next()).append(
          reason == null ? "" : " (" + reason + ")").append('\n');
    }
    for (var m : more.entrySet()) details.append("beside ").append(m.getKey()).append(" in ").append(m.getValue().size()).append(" tests, as ").append(m.getValue().iterator().next()).append('\n');
    Files.writeString(dir.resolve("differences.txt"), details);
    System.out.printf("%s: %d tests compared, %d without a row; the same methods in %d; facts missing and not explained: %d%n", name, compared, noRow, equal, open);
    for (String kind : KINDS) {
      Count c = counts.getOrDefault(kind, new Count(0, 0, 0));
      System.out.printf("  %-9s reference %8d  missing %6d  beside %8d%n", kind, c.reference, c.missing, c.more);
    }
    details.toString().lines().filter(l -> l.startsWith("missing ") && !l.endsWith(")")).limit(30).forEach(l -> System.out.println("  " + l));
    return open == 0 && compared > 0;
  }

  /** A line of the list: library, fact with `*` at its end for any, reason. */
  private static String reason(String name, String fact, List<String[]> explained) {
    for (String[] line : explained) {
      boolean any = line[1].endsWith("*");
      String head = any ? line[1].substring(0, line[1].length() - 1) : line[1];
      if ((line[0].equals(name) || line[0].equals("*")) && (any ? fact.startsWith(head) : fact.equals(head))) return line[2];
    }
    return null;
  }

  /** Without classes that are made at run time, whose names differ from run to run, those of libraries, and the JDK's own files. */
  private static Set<String> of(String kind, Set<String> atoms, World world) {
    Set<String> out = new TreeSet<>();
    for (String a : atoms) {
      if (!a.startsWith(kind + ":") && !a.equals(kind)) continue;
      String text = a.substring(Math.min(a.length(), kind.length() + 1));
      String named = kind.equals("m") ? text.substring(0, text.lastIndexOf('.', text.indexOf('('))) : text.replaceFirst("\\|.*", "");
      boolean aboutClass = List.of("m", "recv", "inst", "init", "load", "refl").contains(kind);
      if (aboutClass ? world.internalClasses().containsKey(named) : !text.startsWith(System.getProperty("java.home")) && !a.equals("miss:")) out.add(a);
    }
    return out;
  }
}
