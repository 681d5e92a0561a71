// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import rejig.check.evolve.Programs;

/**
 * Does rejig miss a flipping test of randomly changed programs, and how many others does it select?
 *
 * <p>Options: --work DIR [--rejig BINARY] [--pairs N] [--seed S] [--mutants K] [--allow-over PERCENT] [--shrink SECONDS] [--facts-only] [--via-diff] [--also-by-walk] [--edges] [--view VIEW] [--rich] [--exhaustive] [-j N] [-v]. A pair
 * is named SEED:MUTANT; {@code --only SEED:MUTANT} repeats one. The allowed percentage counts the selected tests among those that do not flip; of
 * them those that ran a method whose instructions differ no selection by methods can spare. {@code --rich}: programs with more constructs, on a JDK of 21 or later
 * also pattern switches.
 */
public final class Evolve {
  private Path work;
  private Rejig rejig;
  private int pairs = 300;
  private long seed = 1;
  private int mutants = 5;
  private double allowOver = 1.3;
  private int shrinkSeconds = 60;
  private int threads = 2;
  private boolean verbose;
  private boolean viaDiff;
  private boolean alsoByWalk;
  private boolean edges;
  private String view = "";
  private boolean factsOnly;
  private boolean rich;
  private boolean exhaustive;
  private String only = "";

  private final AtomicLong nextProgram = new AtomicLong();
  private final AtomicInteger done = new AtomicInteger();
  private final Tally rebuilt = new Tally();
  private final Tally stale = new Tally();
  private final Map<String, int[]> operators = new TreeMap<>();
  /** Rules that selected unaffected tests, when the edges were evaluated here. */
  private final Map<String, Integer> overRules = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Set<String> errors = new TreeSet<>();
  private int invalidPrograms;
  private int invalidMutants;
  private int crashes;

  private static final class Tally {
    int pairs;
    int flips;
    int missedF;
    int missedM;
    int unaffected;
    int overF;
    int overM;
    /** Of overF: did not run any method whose instructions differ. */
    int overRest;
  }

  private Evolve() {}

  public static void main(String[] args) throws Exception {
    System.exit(new Evolve().run(args));
  }

  private int run(String[] args) throws Exception {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--work" -> work = Path.of(args[++i]).toAbsolutePath();
        case "--rejig" -> rejig = new Rejig(Path.of(args[++i]).toAbsolutePath());
        case "--pairs" -> pairs = Integer.parseInt(args[++i]);
        case "--seed" -> seed = Long.parseLong(args[++i]);
        case "--mutants" -> mutants = Integer.parseInt(args[++i]);
        case "--allow-over" -> allowOver = Double.parseDouble(args[++i]);
        case "--shrink" -> shrinkSeconds = Integer.parseInt(args[++i]);
        case "--only" -> only = args[++i];
        case "-j" -> threads = Integer.parseInt(args[++i]);
        case "--facts-only" -> factsOnly = true;
        case "--via-diff" -> viaDiff = true;
        case "--also-by-walk" -> alsoByWalk = true;
        case "--edges" -> edges = true;
        case "--view" -> view = args[++i];
        case "--rich" -> rich = true;
        case "--exhaustive" -> exhaustive = true;
        case "-v" -> verbose = true;
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    if (!only.isEmpty()) {
      seed = Long.parseLong(only.split(":")[0]);
      pairs = 1;
      threads = 1;
    }
    if (rejig != null) rejig.alsoByWalk = alsoByWalk;
    nextProgram.set(seed);
    System.out.println("seed " + seed + ", " + pairs + " pairs");
    long start = System.nanoTime();
    List<Thread> pool = new ArrayList<>();
    List<Throwable> broken = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Path dir = work.resolve("thread" + t);
      Thread th = new Thread(() -> {
        try (Lab lab = new Lab(dir.resolve("worker"), null, null, null)) {
          Trial trial = new Trial(lab, dir, rejig);
          trial.viaDiff = viaDiff;
          trial.edges = lab.edges = edges;
          trial.view = !view.isEmpty() ? view : edges ? "edge" : "method";
          trial.factsOnly = factsOnly;
          trial.exhaustive = exhaustive;
          if (rich) trial.release(Jdks.running().feature());
          do {
            program(nextProgram.getAndIncrement(), trial);
          } while (done.get() < pairs && failures.size() < 40 && broken.isEmpty() && only.isEmpty());
        } catch (Throwable e) {
          synchronized (broken) {
            broken.add(e);
          }
        }
      });
      th.start();
      pool.add(th);
    }
    for (Thread t : pool) t.join();
    if (!broken.isEmpty()) {
      broken.get(0).printStackTrace();
      return 2;
    }
    return report((System.nanoTime() - start) / 1e9);
  }

  private void program(long programSeed, Trial trial) throws IOException, Lab.Unavailable {
    Random random = new Random(programSeed * 0x9E3779B97F4A7C15L + 1);
    Programs.Base base = rich ? Programs.rich(random, Runtime.version().feature()) : Programs.base(random);
    Map<String, TestRun.Row> before = trial.base(base.sources());
    if (before == null) {
      synchronized (this) {
        invalidPrograms++;
      }
      if (verbose) System.out.println("program " + programSeed + " does not compile: " + trial.why);
      return;
    }
    for (int k = 0; k < mutants && (done.get() < pairs); k++) {
      if (!only.isEmpty() && !only.equals(programSeed + ":" + k)) continue;
      Programs.Mutant m = base.mutant(new Random(programSeed * 31 + k));
      List<Trial.Verdict> v = m == null ? null : trial.mutant(base.sources(), m.sources(), m.stale(), before);
      if (v == null) {
        synchronized (this) {
          invalidMutants++;
          if (trial.crashed) crashes++;
        }
        if (verbose && m != null) System.out.println(programSeed + ":" + k + " " + m.changes() + " not usable: " + trial.why.split("\n")[0]);
        continue;
      }
      done.incrementAndGet();
      count(programSeed + ":" + k, m, v);
      if (trial.error != null || v.stream().anyMatch(Trial.Verdict::missed)) fail(programSeed + ":" + k, base, m, v, trial, before);
      if (!only.isEmpty()) for (Trial.Verdict x : v) System.out.println(x);
    }
  }

  private synchronized void count(String name, Programs.Mutant m, List<Trial.Verdict> verdicts) {
    Tally t = m.stale().isEmpty() ? rebuilt : stale;
    t.pairs++;
    int flips = 0;
    int over = 0;
    int overRest = 0;
    for (Trial.Verdict v : verdicts) {
      if (v.flips()) {
        flips++;
        t.flips++;
        if (v.missedF()) t.missedF++;
        if (v.missedM()) t.missedM++;
      } else {
        t.unaffected++;
        if (v.full()) {
          t.overF++;
          over++;
          if (!v.ranChanged()) {
            t.overRest++;
            overRest++;
          }
        }
        if (v.methods()) t.overM++;
        if (v.full() && !v.ranChanged() && verbose) System.out.println(name + " " + m.changes() + " selects unaffected " + v.test() + " " + v.why());
        if (v.full()) for (String w : v.why()) overRules.merge(w.split(" ")[0], 1, Integer::sum);
      }
    }
    for (String c : m.changes()) {
      int[] n = operators.computeIfAbsent(c.split(" ")[0], x -> new int[4]);
      n[0]++;
      if (flips > 0) n[1]++;
      n[2] += over;
      n[3] += overRest;
    }
  }

  private void fail(String name, Programs.Base base, Programs.Mutant m, List<Trial.Verdict> verdicts, Trial trial, Map<String, TestRun.Row> before) throws IOException,
      Lab.Unavailable {
    Set<String> missed = new TreeSet<>();
    for (Trial.Verdict v : verdicts) if (v.missed()) missed.add(v.test() + (v.missedF() ? "" : " (methods only)"));
    String what = name + " " + m.changes() + (m.stale().isEmpty() ? "" : " stale " + m.stale()) + (trial.error != null ? " " + trial.error : " missed " + missed);
    synchronized (this) {
      failures.add(what);
      System.out.println("FAILED " + (what.length() > 600 ? what.substring(0, 600) + " …" : what));
      // The first ones are worth the time; more of the same are not.
      boolean known = trial.error != null && !errors.add(trial.error.replaceAll("[0-9/]+|thread\\d", ""));
      if (known || failures.size() > 5) return;
    }
    Shrink shrink = new Shrink(trial, base.sources(), m.sources(), m.stale(), trial.error != null, verdicts.stream().anyMatch(v -> v.missedF()));
    CaseFile.Case small = shrink.run(shrinkSeconds);
    Path f = work.resolve("failures").resolve(name.replace(':', '-') + ".txt");
    Lab.write(f, Shrink.print(small, what));
    System.out.println("shrunk: " + f);
    trial.base(base.sources());
  }

  private int report(double seconds) {
    for (Map.Entry<String, int[]> e : operators.entrySet()) {
      if (verbose) System.out.printf("  %-22s %5d used, %5d flip, %5d unaffected tests selected, %5d of them without a changed body%n", e.getKey(), e.getValue()[0],
          e.getValue()[1], e.getValue()[2], e.getValue()[3]);
    }
    System.out.printf(Locale.ROOT, "%d operators used; %d programs and %d mutants did not compile; %d crashes%n", operators.size(), invalidPrograms, invalidMutants, crashes);
    line("rebuilt", rebuilt);
    line("stale", stale);
    int unaffected = rebuilt.unaffected + stale.unaffected;
    double all = percent(rebuilt.overF + stale.overF, unaffected);
    double over = percent(rebuilt.overRest + stale.overRest, unaffected);
    System.out.printf(Locale.ROOT, "%d pairs in %.0f s, %.1f a second%n", done.get(), seconds, done.get() / seconds);
    if (rejig != null) {
      System.out.printf(Locale.ROOT, "missed %d of %d flips; %.2f %% of %d unaffected tests selected (allowed %.2f %%), %.2f %% without having run a changed body%n",
          rebuilt.missedF + stale.missedF, rebuilt.flips + stale.flips, all, unaffected, allowOver, over);
    }
    if (!overRules.isEmpty()) System.out.println("rules that selected unaffected tests: " + overRules);
    return failures.isEmpty() && all <= allowOver ? 0 : 1;
  }

  private void line(String name, Tally t) {
    System.out.printf(Locale.ROOT, "%-8s %5d pairs, %5d flips, %6d unaffected", name, t.pairs, t.flips, t.unaffected);
    if (rejig != null) {
      System.out.printf(Locale.ROOT, "; missed F %d, M %d; selected though unaffected F %.2f %% (without a changed body %.2f %%), M %.2f %%", t.missedF, t.missedM,
          percent(t.overF, t.unaffected), percent(t.overRest, t.unaffected), percent(t.overM, t.unaffected));
    }
    System.out.println();
  }

  private static double percent(int a, int b) {
    return b == 0 ? 0 : 100.0 * a / b;
  }
}
