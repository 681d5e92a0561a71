// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * A real library with its published tests: one class is changed, all tests run on the changed program, and every test whose outcome flips must be selected. The rows come from the
 * reference recorder, OLD from the store alone.
 */
public final class Mutants {
  private record Outcome(Mutator.Mutant mutant, Set<String> flips, Set<String> selected, Set<String> byClass, String trouble) {}

  private final Path work;
  private final Path rejig;
  private final List<Path> program;
  private final List<Path> libraries;
  private final Jdks.Jdk jdk;
  private final Map<String, Boolean> before = new TreeMap<>();
  private final Set<String> flaky = new TreeSet<>();
  private Path store;

  private Mutants(Path work, Path rejig, List<Path> program, List<Path> libraries) {
    this.work = work;
    this.rejig = rejig;
    this.program = program;
    this.libraries = libraries;
    this.jdk = new Jdks.Jdk(Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  public static void main(String[] args) throws Exception {
    Map<String, String> o = new HashMap<>(Map.of("--per-kind", "2", "--seed", "1", "--libraries", "", "--jobs", "2"));
    for (int i = 0; i + 1 < args.length; i += 2) o.put(args[i], args[i + 1]);
    Path work = Path.of(o.get("--work")).toAbsolutePath();
    if (Files.exists(work)) {
      try (Stream<Path> old = Files.walk(work)) {
        for (Path p : old.sorted(java.util.Comparator.reverseOrder()).toList()) Files.delete(p);
      }
    }
    Files.createDirectories(work);
    Mutants m = new Mutants(work, Path.of(o.get("--rejig")).toAbsolutePath(), absolute(o.get("--program")), absolute(o.get("--libraries")));
    System.exit(m.run(Integer.parseInt(o.get("--per-kind")), Long.parseLong(o.get("--seed")), Integer.parseInt(o.get("--jobs"))));
  }

  private static List<Path> absolute(String list) {
    return Worker.paths(list).stream().map(Path::toAbsolutePath).toList();
  }

  private int run(int perKind, long seed, int jobs) throws Exception {
    record(jobs);
    List<Mutator.Mutant> mutants = Mutator.choose(classes(), perKind, seed);
    System.out.printf("%d tests (%d left out: flaky or failing), %d mutants%n", before.size(), flaky.size(), mutants.size());
    ExecutorService threads = Executors.newFixedThreadPool(jobs);
    ThreadLocal<WorkerProcess> workers = ThreadLocal.withInitial(() -> new WorkerProcess(jdk, work.resolve("jvm-" + Thread.currentThread().getName()), List.of()));
    List<Future<Outcome>> running = new ArrayList<>();
    for (int i = 0; i < mutants.size(); i++) {
      Mutator.Mutant one = mutants.get(i);
      Path dir = work.resolve("m" + i);
      Callable<Outcome> job = () -> tried(one, dir, workers.get());
      running.add(threads.submit(job));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Future<Outcome> f : running) outcomes.add(f.get());
    threads.shutdownNow();
    return report(outcomes);
  }

  private Map<String, byte[]> classes() throws IOException {
    // Of the library itself: the last root holds its tests.
    return new World(program.subList(0, program.size() - 1), List.of()).internalClasses();
  }

  private void record(int jobs) throws Exception {
    Path recorded = work.resolve("recorded");
    Path plain = work.resolve("plain");
    try (WorkerProcess w = new WorkerProcess(jdk, work.resolve("jvm-record"), List.of())) {
      must(w.ask("run", "record", joined(program), joined(libraries), recorded.toString()));
      must(w.ask("run", "plain", joined(program), joined(libraries), plain.toString()));
    }
    Map<String, TestRun.Row> rows = TestRun.read(recorded);
    Map<String, TestRun.Row> again = TestRun.read(plain);
    List<TestRun.Row> kept = new ArrayList<>();
    for (TestRun.Row row : rows.values()) {
      boolean passes = passed(row) && again.containsKey(row.id()) && passed(again.get(row.id()));
      if (passes) before.put(row.id(), true);
      else flaky.add(row.id());
      kept.add(row);
    }
    Path matrix = work.resolve("rows.ndjson");
    Matrix.write(matrix, new World(program, libraries).internalClasses(), kept, Matrix.ALL_FACTS, jdk);
    store = work.resolve("matrix.db");
    List<String> words = new ArrayList<>(List.of("coverage", "import", matrix.toString(), "--store", store.toString(), "--program", joined(program), "--jdk", jdk.home().toString()));
    if (!libraries.isEmpty()) words.addAll(List.of("--lib", joined(libraries)));
    call(work, words);
  }

  private static void must(String answer) throws IOException {
    if (!answer.equals("ok")) throw new IOException("the tests cannot be run: " + answer);
  }

  private static boolean passed(TestRun.Row row) {
    return row.outcome().startsWith("pass");
  }

  private Outcome tried(Mutator.Mutant mutant, Path dir, WorkerProcess worker) throws Exception {
    Path overlay = dir.resolve("new");
    Path file = overlay.resolve(mutant.name() + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, mutant.bytes());
    List<Path> changed = new ArrayList<>(List.of(overlay));
    changed.addAll(program);
    Path result = dir.resolve("result");
    String answer = worker.ask("run", "plain", joined(changed), joined(libraries), result.toString());
    if (!answer.equals("ok")) return new Outcome(mutant, Set.of(), Set.of(), Set.of(), answer);
    Map<String, TestRun.Row> after = TestRun.read(result);
    Set<String> flips = new TreeSet<>();
    for (String id : before.keySet()) if (!after.containsKey(id) || !passed(after.get(id))) flips.add(id);
    return new Outcome(mutant, flips, select(dir, changed, "method"), select(dir, changed, "class"), null);
  }

  private Set<String> select(Path dir, List<Path> changed, String view) throws Exception {
    Set<String> out = new TreeSet<>();
    for (String line : call(dir, List.of("select", joined(changed), "--coverage", store.toString(), "--format", "ids", "--view", view)).split("\n")) {
      if (line.startsWith("# all")) out.addAll(before.keySet());
      else if (!line.isBlank()) out.add(line);
    }
    out.retainAll(before.keySet());
    return out;
  }

  private String call(Path dir, List<String> words) throws Exception {
    List<String> command = new ArrayList<>(List.of(rejig.toString()));
    command.addAll(words);
    Path out = dir.resolve("out-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
    Path err = dir.resolve("err");
    Process p = new ProcessBuilder(command).directory(dir.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    if (p.waitFor() != 0) throw new IOException(String.join(" ", command) + ": exit " + p.exitValue() + ": " + Files.readString(err));
    String text = Files.readString(out);
    Files.delete(out);
    return text;
  }

  private static String joined(List<Path> roots) {
    return String.join(":", roots.stream().map(Path::toString).toList());
  }

  private static final class Sum {
    int mutants;
    int trouble;
    int killed;
    long flips;
    long selected;
    long byClass;
    long missed;
  }

  private int report(List<Outcome> outcomes) {
    Map<String, Sum> sums = new TreeMap<>();
    long missed = 0;
    for (Outcome o : outcomes) {
      for (String kind : List.of(o.mutant.kind(), "~ all")) {
        Sum s = sums.computeIfAbsent(kind, k -> new Sum());
        s.mutants++;
        if (o.trouble != null) {
          s.trouble++;
          continue;
        }
        s.killed += o.flips.isEmpty() ? 0 : 1;
        s.flips += o.flips.size();
        s.selected += o.selected.size();
        s.byClass += o.byClass.size();
        s.missed += o.flips.stream().filter(t -> !o.selected.contains(t)).count();
      }
      if (o.trouble != null) {
        System.out.println("not run: " + o.mutant.kind() + " " + o.mutant.what() + ": " + o.trouble);
        continue;
      }
      for (String test : o.flips) {
        if (o.selected.contains(test)) continue;
        missed++;
        System.out.println("MISSED " + o.mutant.kind() + " " + o.mutant.what() + ": " + test);
      }
    }
    System.out.println("| change | mutants | with a flip | not run | missed | selected | classes touched | truth |\n|---|---|---|---|---|---|---|---|");
    for (var e : sums.entrySet()) {
      Sum s = e.getValue();
      double runs = Math.max(1, (s.mutants - s.trouble) * (long) before.size());
      System.out.printf(Locale.ROOT, "| %s | %d | %d | %d | %d | %.1f %% | %.1f %% | %.1f %% |%n", e.getKey(), s.mutants, s.killed, s.trouble, s.missed, 100 * s.selected / runs,
          100 * s.byClass / runs, 100 * s.flips / runs);
    }
    return missed == 0 && !outcomes.isEmpty() ? 0 : 1;
  }

  static ClassNode tree(byte[] bytes) {
    ClassNode out = new ClassNode();
    new ClassReader(bytes).accept(out, 0);
    return out;
  }
}
