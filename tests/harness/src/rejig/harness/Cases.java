// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Are the stated outcomes of the safety cases what a JVM does, and does rejig select by them?
 *
 * <p>Options: --cases DIR --work DIR [--rejig BINARY] [--only S-001,S-002] [--allow-over N] [--ecj DIR] [-j N] [-v].
 * {@code --record FILE} also runs the old version under `rejig record`, and selects by the rows of the product's own agent; FILE lists the tests that are
 * selected too many then, with the reason; {@code --receivers} records receivers as well. {@code --every N} takes each N-th case.
 * {@code --via-diff} evaluates the edges of `rejig diff` here instead of asking `rejig select`. {@code --also-by-walk}: the walk over both graphs must select the same tests.
 * {@code --edges}: the rows also have control-flow edges, and --view edge must select every flip, and none of the tests that a case lists under @edges.
 */
public final class Cases {
  private record Line(String id, String test, String expected, String observed, String facts, String methods, String narrow, String recorded, String edges, String verdict, boolean bad) {}

  private static final class Result {
    final List<Line> lines = new ArrayList<>();
    String skipped;
    String trouble;
  }

  private Path cases;
  private Path work;
  private Rejig rejig;
  private Path ecj;
  private int allowOver;
  private int threads = 2;
  private boolean verbose;
  private boolean viaDiff;
  private boolean alsoByWalk;
  private boolean edges;
  private boolean record;
  private boolean receivers;
  private final List<String[]> listed = new ArrayList<>();
  private final TreeSet<String> explained = new TreeSet<>();
  private int every = 1;
  private final TreeSet<String> only = new TreeSet<>();
  private final Map<String, Result> results = new TreeMap<>();

  private Cases() {}

  public static void main(String[] args) throws Exception {
    System.exit(new Cases().run(args));
  }

  private int run(String[] args) throws Exception {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--cases" -> cases = Path.of(args[++i]).toAbsolutePath();
        case "--work" -> work = Path.of(args[++i]).toAbsolutePath();
        case "--rejig" -> rejig = new Rejig(Path.of(args[++i]).toAbsolutePath());
        case "--only" -> only.addAll(List.of(args[++i].split(",")));
        case "--allow-over" -> allowOver = Integer.parseInt(args[++i]);
        case "--ecj" -> ecj = Path.of(args[++i]).toAbsolutePath();
        case "-j" -> threads = Integer.parseInt(args[++i]);
        case "--via-diff" -> viaDiff = true;
        case "--also-by-walk" -> alsoByWalk = true;
        case "--edges" -> edges = true;
        case "--record" -> {
          record = true;
          for (String l : Files.readAllLines(Path.of(args[++i]))) if (!l.startsWith("#") && !l.isBlank()) listed.add(l.strip().split("  +"));
        }
        case "--receivers" -> receivers = true;
        case "--every" -> every = Integer.parseInt(args[++i]);
        case "-v" -> verbose = true;
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    for (String[] l : listed) if (!(receivers && l[1].equals("recv"))) explained.add(l[0]);
    if (rejig != null) rejig.alsoByWalk = alsoByWalk;
    Jdks.Jdk jdk25 = Jdks.jdk25();
    ConcurrentLinkedQueue<CaseFile.Case> queue = new ConcurrentLinkedQueue<>();
    int seen = 0;
    for (CaseFile.Case c : CaseFile.read(cases)) if ((only.isEmpty() || only.contains(c.id)) && seen++ % every == 0) queue.add(c);
    int total = queue.size();
    WorkerProcess w25 = jdk25 == null ? null : new WorkerProcess(jdk25, work.resolve("worker25"), List.of());
    List<Thread> pool = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Lab lab = new Lab(work.resolve("worker" + t), w25, jdk25, ecj);
      lab.edges = edges;
      Thread th = new Thread(() -> {
        try (lab) {
          for (CaseFile.Case c = queue.poll(); c != null; c = queue.poll()) {
            Result r = one(c, lab);
            synchronized (results) {
              results.put(c.id, r);
            }
          }
        }
      });
      th.start();
      pool.add(th);
    }
    for (Thread t : pool) t.join();
    if (w25 != null) w25.close();
    return report(total, jdk25);
  }

  private Result one(CaseFile.Case c, Lab lab) {
    Result r = new Result();
    try {
      r.skipped = Scripts.notAutomated(c);
      if (r.skipped != null) return r;
      Prepared p = Scripts.prepare(c, lab, work.resolve(c.id));
      Map<String, TestRun.Row> before = lab.run(p, true);
      Map<String, TestRun.Row> after = lab.run(p, false);
      Rejig.Selection full = null;
      Rejig.Selection methods = null;
      Rejig.Selection narrow = null;
      Rejig.Selection recorded = null;
      Rejig.Selection byEdges = null;
      World old = new World(p.oldRoots, List.of());
      Path f = p.dir.resolve("matrix-f.ndjson");
      Path m = p.dir.resolve("matrix-m.ndjson");
      Matrix.write(f, old.internalClasses(), before.values(), Matrix.ALL_FACTS, p.oldJdk);
      Matrix.write(m, old.internalClasses(), before.values(), Matrix.METHODS, p.oldJdk);
      if (rejig != null) {
        List<Path> oldLib = new ArrayList<>(p.oldLib);
        List<Path> newLib = new ArrayList<>(p.newLib);
        oldLib.addAll(lab.junit);
        newLib.addAll(lab.junit);
        if (viaDiff) {
          full = rejig.bySets(p.dir, before.values(), old, p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
          methods = full;
          narrow = full;
        } else {
          for (Path rows : List.of(f, m)) {
            String e = rejig.store(p.dir, rows);
            if (e != null) throw new IOException(e);
          }
          full = rejig.select(p.dir, f, "", p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
          narrow = rejig.select(p.dir, m, Rejig.NARROW, p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
          methods = rejig.select(p.dir, m, "", p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
        }
        if (edges) {
          Path rows = p.dir.resolve("matrix-e.ndjson");
          Matrix.write(rows, old.internalClasses(), before.values(), Matrix.ALL_WITH_EDGES, p.oldJdk);
          String e = rejig.store(p.dir, rows);
          byEdges = e != null ? new Rejig.Selection(false, java.util.Set.of(), e)
              : rejig.select(p.dir, rows, "", "edge", p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
          Rejig.Selection same = rejig.select(p.dir, m, "", "edge", p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
          if (byEdges.error() != null) r.trouble = byEdges.error();
          else if (same.all() != methods.all() || !same.ids().equals(methods.ids())) r.trouble = "rows of methods are narrowed by --view edge";
        }
        if (record) {
          String e = rejig.record(p.dir, p.dir.resolve("matrix-r.db"), p.oldRoots, p.oldLib, p.modular, receivers, p.oldJdk, 60);
          recorded = e != null ? new Rejig.Selection(false, java.util.Set.of(), e)
              : rejig.select(p.dir, p.dir.resolve("matrix-r.ndjson"), "", p.oldRoots, p.newRoots, oldLib, newLib, p.oldJdk, p.newJdk);
        }
        String same = rejig.itself(p.dir, p.newRoots, newLib, p.newJdk);
        if (r.trouble != null) throw new IOException(r.trouble);
        if (same != null) r.trouble = same;
        else if (full.error() != null) r.trouble = full.error();
        else if (methods.error() != null) r.trouble = methods.error();
        else if (recorded != null && recorded.error() != null) r.trouble = recorded.error();
      }
      List<CaseFile.Expected> expected = c.expected();
      if (expected.isEmpty()) r.trouble = "no @tests";
      for (CaseFile.Expected e : expected) r.lines.add(judge(c, e, before, after, full, methods, narrow, recorded, byEdges));
    } catch (Lab.Unavailable e) {
      r.skipped = e.getMessage();
    } catch (Exception e) {
      r.trouble = String.valueOf(e.getMessage() == null ? e : e.getMessage());
    }
    return r;
  }

  private Line judge(CaseFile.Case c, CaseFile.Expected e, Map<String, TestRun.Row> before, Map<String, TestRun.Row> after, Rejig.Selection full,
      Rejig.Selection methods, Rejig.Selection narrow, Rejig.Selection recorded, Rejig.Selection byEdges) {
    String[] name = {e.test().substring(0, e.test().lastIndexOf('.')), e.test().substring(e.test().lastIndexOf('.') + 1)};
    boolean wholeClass = name[1].equals("*");
    String id = name[0] + "#" + name[1] + "()";
    String was = wholeClass ? outcomes(before, name[0]) : before.containsKey(id) ? before.get(id).outcome() : "absent";
    String is = wholeClass ? outcomes(after, name[0]) : after.containsKey(id) ? after.get(id).outcome() : "absent";
    boolean flips = !was.equals(is);
    boolean mustFlip = e.what().equals("flip") || e.what().equals("miss");
    String observed = flips ? "flip" : "same";
    if (flips != mustFlip) return new Line(c.id, e.test(), e.what(), observed, "", "", "", "", "", "OUTCOME " + was + " -> " + is, true);
    if (was.equals("absent") && is.equals("absent")) return new Line(c.id, e.test(), e.what(), observed, "", "", "", "", "", "OUTCOME no such test", true);
    String f = full == null ? "" : mark(wholeClass ? full.hasClass(name[0]) : full.has(id));
    String m = methods == null ? "" : mark(wholeClass ? methods.hasClass(name[0]) : methods.has(id));
    String a = narrow == null ? "" : mark(wholeClass ? narrow.hasClass(name[0]) : narrow.has(id));
    String r = recorded == null ? "" : mark(wholeClass ? recorded.hasClass(name[0]) : recorded.has(id));
    String k = byEdges == null ? "" : mark(wholeClass ? byEdges.hasClass(name[0]) : byEdges.has(id));
    boolean spared = List.of(c.tag("edges").trim().split("[ ;]+")).contains(e.test());
    String verdict = verdict(e.what(), f, m, a, r, explained.contains(c.id + " " + e.test()));
    if (e.what().equals("flip") && k.equals("-")) verdict = "MISSED-E";
    if (k.equals("x") && (spared || f.equals("-"))) verdict = "OVER-E";
    return new Line(c.id, e.test(), e.what(), observed, f, m, a, r, k, verdict, false);
  }

  private static String verdict(String what, String f, String m, String a, String r, boolean isExplained) {
    if (f.isEmpty()) return "agrees";
    if (what.equals("flip")) return f.equals("-") ? "MISSED" : m.equals("-") ? "MISSED-M" : r.equals("-") ? "MISSED-R" : "ok";
    if (what.equals("same")) return f.equals("x") ? "OVER" : r.equals("x") ? isExplained ? "over-r" : "OVER-R" : a.equals("x") ? "over-a" : "ok";
    return f.equals("x") ? "may" : "ok";
  }

  private static String mark(boolean selected) {
    return selected ? "x" : "-";
  }

  private static String outcomes(Map<String, TestRun.Row> rows, String testClass) {
    StringBuilder b = new StringBuilder();
    for (TestRun.Row r : rows.values()) if (r.id().startsWith(testClass + "#")) b.append(r.id()).append('=').append(r.outcome()).append("; ");
    return b.length() == 0 ? "absent" : b.toString();
  }

  private int report(int total, Jdks.Jdk jdk25) throws IOException {
    StringBuilder table = new StringBuilder();
    String format = "%-6s %-22s %-5s %-5s %1s %1s %1s %1s %1s  %s%n";
    table.append(String.format(format, "case", "test", "says", "saw", "F", "M", "A", "R", "E", "verdict"));
    int flips = 0;
    int sames = 0;
    int missedF = 0;
    int missedM = 0;
    int overF = 0;
    int overM = 0;
    int missedA = 0;
    int missedR = 0;
    int overR = 0;
    int unexplained = 0;
    int missedE = 0;
    int overE = 0;
    int spared = 0;
    int ranR = 0;
    int overA = 0;
    int may = 0;
    int mayF = 0;
    int wrong = 0;
    int trouble = 0;
    int ran = 0;
    List<String> skipped = new ArrayList<>();
    for (var e : results.entrySet()) {
      Result r = e.getValue();
      if (r.skipped != null) {
        skipped.add(e.getKey() + " (" + r.skipped + ")");
        continue;
      }
      ran++;
      if (r.trouble != null) {
        trouble++;
        String t = e.getKey() + " TROUBLE " + r.trouble;
        table.append(t).append('\n');
        System.out.println(t);
      }
      for (Line l : r.lines) {
        String s = String.format(format, l.id, l.test, l.expected, l.observed, l.facts, l.methods, l.narrow, l.recorded, l.edges, l.verdict);
        table.append(s);
        if (verbose || !(l.verdict.equals("ok") || l.verdict.equals("over-r") || l.verdict.equals("agrees") || l.verdict.equals("may"))) System.out.print(s);
        if (l.bad) wrong++;
        if (!l.recorded.isEmpty()) ranR++;
        if (l.verdict.equals("OVER-R")) unexplained++;
        if (l.verdict.equals("MISSED-E")) missedE++;
        if (l.verdict.equals("OVER-E")) overE++;
        if (l.edges.equals("-") && l.facts.equals("x")) spared++;
        switch (l.expected) {
          case "flip" -> {
            flips++;
            if (l.facts.equals("-")) missedF++;
            if (l.methods.equals("-")) missedM++;
            if (l.narrow.equals("-")) missedA++;
            if (l.recorded.equals("-")) missedR++;
          }
          case "same" -> {
            sames++;
            if (l.facts.equals("x")) overF++;
            if (l.methods.equals("x")) overM++;
            if (l.narrow.equals("x")) overA++;
            if (l.recorded.equals("x")) overR++;
          }
          default -> {
            may++;
            if (l.facts.equals("x")) mayF++;
          }
        }
      }
    }
    Files.createDirectories(work);
    Files.writeString(work.resolve("table.txt"), table);
    System.out.printf("%d cases, %d ran, %d not run; %d flip, %d same, %d over/miss tests; stated outcome wrong: %d; trouble: %d%n", total, ran, skipped.size(), flips, sames,
        may, wrong, trouble);
    if (jdk25 == null) System.out.println("this machine has no JDK 25: its cases did not run");
    for (String s : skipped) System.out.println("not run: " + s);
    if (rejig != null) {
      System.out.printf("F all facts:    missed %d of %d flips / over %d of %d same / %d of %d over-or-miss selected%n", missedF, flips, overF, sames, mayF, may);
      System.out.printf("M methods only: missed %d of %d flips / over %d of %d same%n", missedM, flips, overM, sames);
      System.out.printf("A the same, narrowed by every --assume (may miss): missed %d of %d flips / over %d of %d same%n", missedA, flips, overA, sames);
    }
    if (edges) System.out.printf("E all facts and edges, --view edge: missed %d of %d flips / %d tests spared that F selects / %d selected too many%n", missedE, flips, spared, overE);
    if (record) {
      System.out.printf("R recorded by rejig record, %d of the tests: missed %d of %d flips / over %d of %d same, %d of them not explained%n", ranR, missedR, flips, overR, sames, unexplained);
    }
    boolean ok = wrong == 0 && trouble == 0 && missedF == 0 && missedM == 0 && missedR == 0 && overF <= allowOver && unexplained == 0 && missedE == 0 && overE == 0;
    return ok ? 0 : 1;
  }
}
