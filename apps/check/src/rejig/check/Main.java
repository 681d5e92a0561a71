// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import rejig.check.evolve.Programs;

/** `rejig check`: started by rejig itself, which knows where everything is. Arguments are key=value. */
public final class Main {
  private static final int REVISIONS = 5;
  private static final int PROGRAMS = 32;
  private static final int MINIMAL = 3;

  private final Map<String, String> options = new TreeMap<>();
  private final Setup setup;
  private final Path library;
  private final int pairs;
  private final int seconds;
  private final int threads;
  private final int programs;
  private final int shrink;
  private final Path failures;
  private final long begin = System.nanoTime();

  /** What is left of a batch. */
  private record Done(Counts counts, List<Finding> findings) {}

  private final Map<Integer, Done> done = new TreeMap<>();
  private final Map<Finding, String> minimal = new java.util.HashMap<>();
  private int next;
  private long nextSeed;
  private int usable;
  private int found;
  private int shrunk;
  private long said;
  private Throwable broken;

  private Main(String[] args) throws Exception {
    for (String a : args) options.put(a.substring(0, a.indexOf('=')), a.substring(a.indexOf('=') + 1));
    Path own = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> runner = new ArrayList<>();
    for (String p : options.get("runner").split(":")) runner.add(Path.of(p));
    Path work = Files.createTempDirectory("rejig-check-");
    setup = new Setup(Path.of(System.getProperty("java.home")), own, runner, Path.of(options.get("rejig")), work, options.get("tool"));
    library = work.resolve("library");
    pairs = number("pairs", 0);
    seconds = number("seconds", 0);
    threads = number("jobs", 1);
    shrink = number("shrink", 40);
    failures = Path.of(options.getOrDefault("failures", "rejig-check"));
    nextSeed = Long.parseLong(options.getOrDefault("seed", "1"));
    // The same at any number of threads, as the answer is.
    programs = pairs == 0 ? PROGRAMS : Math.max(2, Math.min(PROGRAMS, (pairs + 2 * REVISIONS - 1) / (2 * REVISIONS)));
  }

  private int number(String key, int otherwise) {
    return Integer.parseInt(options.getOrDefault(key, "" + otherwise));
  }

  public static void main(String[] args) throws Exception {
    Main m = new Main(args);
    Thread clean = new Thread(() -> {
      try {
        Setup.delete(m.setup.work());
      } catch (IOException left) {
        System.err.println("rejig: " + left.getMessage() + " is left");
      }
    });
    Runtime.getRuntime().addShutdownHook(clean);
    System.exit(m.run());
  }

  private List<Path> libraries() {
    List<Path> l = new ArrayList<>(List.of(library));
    l.addAll(setup.runner());
    return l;
  }

  private int run() throws Exception {
    Files.createDirectories(library);
    new Compiler(setup.runner()).compile(Map.of("ev", Map.of("rejig/ev/Ev.java", Programs.library())), library);
    String only = options.get("only");
    if (only != null) return single(only);
    List<Thread> pool = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Path dir = setup.work().resolve("thread" + t);
      Thread th = new Thread(() -> work(dir));
      th.start();
      pool.add(th);
    }
    for (Thread t : pool) t.join();
    if (broken != null) {
      System.err.println("rejig: " + broken);
      for (StackTraceElement e : broken.getStackTrace()) System.err.println("    at " + e);
      return 2;
    }
    return report();
  }

  private synchronized boolean enough() {
    if (broken != null || found > 200) return true;
    if (pairs > 0 && usable >= pairs) return true;
    return seconds > 0 && System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(seconds);
  }

  private void work(Path dir) {
    try (TestJvm jvm = new TestJvm(setup)) {
      Files.createDirectories(dir);
      Compiler compiler = new Compiler(libraries());
      Selector selector = new Selector(setup);
      while (!enough()) {
        int index;
        List<Subject> subjects = new ArrayList<>();
        synchronized (this) {
          index = next++;
          for (int i = 0; i < programs; i++) subjects.add(Subject.invent(nextSeed++, REVISIONS));
        }
        // A folder of its own: what was given up may still write to the last one.
        Batch b = new Batch(compiler, jvm, selector, dir.resolve("batch" + index), library, index % 4 == 0);
        b.run(subjects);
        finish(index, b);
        for (Finding f : b.findings) shrink(f, b, compiler, jvm, selector, dir);
      }
    } catch (Throwable t) {
      synchronized (this) {
        if (broken == null) broken = t;
      }
    }
  }

  private synchronized void finish(int index, Batch b) {
    done.put(index, new Done(b.counts, b.findings));
    usable += b.counts.pairs;
    found += b.findings.size();
    long now = System.nanoTime();
    if (!options.containsKey("progress") || now - said < 1_000_000_000L) return;
    said = now;
    double s = (now - begin) / 1e9;
    System.err.printf(Locale.ROOT, "\rrejig: %d pairs, %d violations, %.0f pairs a minute ", usable, found, usable * 60 / s);
  }

  private void shrink(Finding f, Batch b, Compiler compiler, TestJvm jvm, Selector selector, Path dir) throws IOException {
    // One that broke the answer for all says nothing about any of them.
    boolean all = f.tests().isEmpty() && f.rule().equals("R6");
    synchronized (this) {
      if (shrunk >= MINIMAL) return;
      shrunk++;
    }
    Subject s = b.subjects.get(f.pair());
    Subject.Revision r = s.revisions().stream().filter(v -> v != null && v.name().equals(f.pair())).findFirst().orElse(null);
    int[] tries = {0};
    Minimal.Judge judge = candidates -> {
      Batch again = new Batch(compiler, jvm, selector, dir.resolve("shrink-" + f.rule() + "-" + f.pair().replace(':', '-') + "-" + tries[0]++), library, false);
      again.run(candidates);
      List<Boolean> out = new ArrayList<>();
      for (Subject c : candidates) out.add(again.findings.stream().anyMatch(g -> g.rule().equals(f.rule()) && (g.pair() + ":").startsWith(c.name() + ":")));
      return out;
    };
    Subject plain = Subject.plain(s);
    Subject.Revision revision = r == null ? null : plain.revisions().get(s.revisions().indexOf(r));
    String text = new Minimal(judge, plain, revision, plain.tests()).run(all || f.rule().equals("R3") ? 0 : shrink, f.rule() + " " + f.pair() + " " + f.what());
    Files.createDirectories(failures);
    Path file = failures.resolve(f.rule() + "-" + f.pair().replace(':', '-') + ".txt");
    Files.writeString(file, text);
    synchronized (this) {
      minimal.put(f, file.toString());
    }
  }

  /** SEED:K or SEED again, with every test's verdict. */
  private int single(String name) throws IOException {
    long seed = Long.parseLong(name.split(":")[0]);
    try (TestJvm jvm = new TestJvm(setup)) {
      Batch b = new Batch(new Compiler(libraries()), jvm, new Selector(setup), Path.of(options.getOrDefault("keep", setup.work() + "/batch")).toAbsolutePath(), library, true);
      b.keep = options.containsKey("keep");
      Subject s = Subject.invent(seed, REVISIONS);
      List<Subject.Revision> wanted = new ArrayList<>(s.revisions());
      if (name.contains(":")) wanted.removeIf(r -> r == null || !r.name().equals(name));
      b.run(List.of(new Subject(s.name(), s.home(), s.family(), s.tests(), s.base(), wanted)));
      done.put(0, new Done(b.counts, b.findings));
      usable = b.counts.pairs;
      for (Finding f : b.findings) shrink(f, b, new Compiler(libraries()), jvm, new Selector(setup), setup.work());
    }
    return report();
  }

  private int report() throws IOException {
    Counts counts = new Counts();
    List<Finding> findings = new ArrayList<>();
    for (Done b : done.values()) {
      if (pairs > 0 && counts.pairs >= pairs && options.get("only") == null) break;
      counts.add(b.counts());
      findings.addAll(b.findings());
    }
    findings.sort(Comparator.comparing(Finding::rule).thenComparing(Finding::pair));
    Map<String, String> programsOf = new TreeMap<>();
    minimal.forEach((f, file) -> programsOf.put(f.rule() + " " + f.pair(), file));
    if (options.containsKey("progress")) System.err.print("\r\033[K");
    double s = (System.nanoTime() - begin) / 1e9;
    if (!options.containsKey("quiet")) System.err.printf(Locale.ROOT, "rejig: %d pairs in %.0f s, %.0f a minute%n", usable, s, usable * 60 / s);
    String title = "rejig check: seed " + options.getOrDefault("seed", "1") + ", Java " + Runtime.version().feature() + (setup.tool() == null ? "" : ", tool " + setup.tool());
    Report report = new Report(title, counts, findings, programsOf);
    if (options.containsKey("junit")) Files.writeString(Path.of(options.get("junit")), report.junit());
    Path out = Path.of(options.get("out"));
    Files.writeString(out, options.getOrDefault("format", "text").equals("json") ? report.json() : report.text());
    return findings.isEmpty() ? 0 : 1;
  }
}
