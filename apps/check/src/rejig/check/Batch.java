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

/**
 * Many programs judged together: compiled in one task, recorded in one JVM, selected in one question for each round of revisions. Each lives in a package of its own, so what
 * is selected for one says nothing about another.
 */
final class Batch {
  private final Compiler compiler;
  private final TestJvm jvm;
  private final Selector selector;
  private final Path dir;
  private final Path library;
  private final boolean recordNew;
  /** Folders stay for who looks into them. */
  boolean keep;

  final Counts counts = new Counts();
  final List<Finding> findings = new ArrayList<>();
  /** What each pair was made of, for those with findings. */
  final Map<String, Subject> subjects = new TreeMap<>();

  private final Map<String, Run> runs = new TreeMap<>();
  private Map<String, Set<String>> rows = Map.of();
  private Compiler.Classes compiled;

  /** One program's results: how its tests ended at first, and how the selector did in each round. */
  private static final class Run {
    Subject subject;
    Map<String, String> outcomes;
    int rounds;
    int all;
    boolean excused = true;

    boolean passes(String test) {
      return outcomes.get(test).startsWith("pass");
    }
  }

  Batch(Compiler compiler, TestJvm jvm, Selector selector, Path dir, Path library, boolean recordNew) {
    this.compiler = compiler;
    this.jvm = jvm;
    this.selector = selector;
    this.dir = dir;
    this.library = library;
    this.recordNew = recordNew;
  }

  static String id(String test) {
    return test + "()";
  }

  void run(List<Subject> given) throws IOException {
    int n = 0;
    List<Subject> all = new ArrayList<>();
    int rounds = 0;
    for (Subject s : given) {
      all.add(s.at("x" + n++));
      rounds = Math.max(rounds, s.revisions().size());
    }
    Setup.delete(dir);
    Path old = dir.resolve("old");
    Files.createDirectories(old);
    bases(all, old);
    if (runs.isEmpty() || !record(old)) return;
    unchanged(old);
    for (int k = 0; k < rounds; k++) round(k, old, k == rounds - 1 && recordNew);
    counts.programs = runs.size();
    counts.check("R3", (int) runs.values().stream().filter(r -> r.rounds > 1).count());
    for (Run r : runs.values()) {
      if (r.rounds > 1 && r.all == r.rounds && !r.excused) {
        find("R3", r.subject, r.subject.name(), Set.of(), "selects every test in all " + r.rounds + " revisions, also of classes that did not change");
      }
    }
    if (!keep) Setup.discard(dir);
  }

  private void find(String rule, Subject s, String pair, Set<String> tests, String what) {
    Set<String> names = new TreeSet<>();
    for (String t : tests) names.add(t.substring(s.home().length() + 1));
    findings.add(new Finding(rule, pair, names, what.replaceAll("\\b" + s.home() + "\\.", "")));
    subjects.put(pair, s);
  }

  private void bases(List<Subject> all, Path old) throws IOException {
    Map<String, Map<String, String>> sources = new TreeMap<>();
    for (Subject s : all) sources.put(s.home(), s.base());
    compiled = compiler.compile(sources, old);
    for (Subject s : all) {
      if (compiled.failed().containsKey(s.home())) {
        counts.unusable++;
        continue;
      }
      Run r = new Run();
      r.subject = s;
      r.outcomes = jvm.run(old, library, s.tests());
      if (r.outcomes == null) {
        counts.unusable++;
        Setup.delete(old.resolve(s.home()));
      } else {
        runs.put(s.home(), r);
      }
    }
  }

  private boolean record(Path old) throws IOException {
    Path list = dir.resolve("tests.txt");
    List<String> tests = new ArrayList<>();
    for (Run r : runs.values()) tests.addAll(r.subject.tests());
    Files.write(list, tests);
    Path outcomes = dir.resolve("outcomes.txt");
    String error = selector.record(dir, old, library, list, dir.resolve("rows.db"), outcomes);
    if (error == null) error = selector.export(dir, dir.resolve("rows.db"), dir.resolve("rows.ndjson"));
    if (error != null) {
      for (Run r : runs.values()) find("R6", r.subject, r.subject.name(), Set.of(), error);
      return false;
    }
    rows = Rows.read(dir.resolve("rows.ndjson"));
    compare(old, outcomes, true);
    return true;
  }

  /** R6 and R7: what ran below the recorder is what runs without it, and ends as it does. */
  private void compare(Path root, Path recorded, boolean first) throws IOException {
    Map<String, String> ends = new TreeMap<>();
    for (String l : Files.readAllLines(recorded)) ends.put(l.substring(0, l.indexOf('\t')), l.substring(l.indexOf('\t') + 1));
    for (Run r : runs.values()) {
      Set<String> absent = new TreeSet<>();
      Set<String> changed = new TreeSet<>();
      String what = "";
      for (String t : r.subject.tests()) {
        if (first && !rows.containsKey(id(t))) absent.add(t);
        if (r.outcomes.get(t).equals(ends.get(t))) continue;
        changed.add(t);
        what = r.outcomes.get(t) + " -> " + ends.get(t);
      }
      if (!changed.isEmpty() && !r.outcomes.equals(again(root, r.subject))) {
        counts.flaky++;
        changed.clear();
      }
      counts.check("R7", r.subject.tests().size());
      if (first) counts.check("R6", r.subject.tests().size());
      if (!absent.isEmpty()) find("R6", r.subject, r.subject.name(), absent, "ran, and no row was recorded");
      if (!changed.isEmpty()) find("R7", r.subject, r.subject.name(), changed, "ends otherwise below the recorder: " + what);
    }
  }

  private Selector.Answer ask(Path old, Path now) throws IOException {
    return selector.select(dir, old, now, library, dir.resolve("rows.db"), dir.resolve("rows.ndjson"));
  }

  /** "All" or trouble was the answer for one program of many: which one? */
  private Selector.Answer alone(Subject s, Path old, Path now) throws IOException {
    Path oneOld = dir.resolve("one-old");
    Path oneNew = dir.resolve("one-new");
    for (Path p : List.of(oneOld, oneNew)) Setup.delete(p);
    Files.createDirectories(oneOld);
    Files.createDirectories(oneNew);
    Files.move(old.resolve(s.home()), oneOld.resolve(s.home()));
    Files.move(now.resolve(s.home()), oneNew.resolve(s.home()));
    Selector.Answer a = ask(oneOld, oneNew);
    Files.move(oneOld.resolve(s.home()), old.resolve(s.home()));
    Files.move(oneNew.resolve(s.home()), now.resolve(s.home()));
    return a;
  }

  /** R5. A test that failed is always selected: it says nothing about the change. */
  private void unchanged(Path old) throws IOException {
    Selector.Answer a = ask(old, old);
    for (Run r : runs.values()) {
      counts.check("R5", 1);
      Set<String> chosen = new TreeSet<>();
      for (String t : r.subject.tests()) if (r.passes(t) && a.has(id(t))) chosen.add(t);
      if (a.error() != null) find("R5", r.subject, r.subject.name(), Set.of(), a.error());
      else if (!chosen.isEmpty()) find("R5", r.subject, r.subject.name(), chosen, "selected though nothing changed");
    }
  }

  private void copy(Path from, Path to, Iterable<String> files) throws IOException {
    for (String f : files) {
      Path p = to.resolve(f);
      Files.createDirectories(p.getParent());
      Files.copy(from.resolve(f), p);
    }
  }

  private void whole(Path from, Path to, Subject s) throws IOException {
    Setup.delete(to.resolve(s.home()));
    for (String source : s.base().keySet()) copy(from, to, compiled.bySource().getOrDefault(source, List.of()));
  }

  private void round(int k, Path old, boolean recorded) throws IOException {
    Path now = dir.resolve("new");
    Setup.delete(now);
    Files.createDirectories(now);
    Map<String, Map<String, String>> sources = new TreeMap<>();
    for (Run r : runs.values()) {
      Subject.Revision v = k < r.subject.revisions().size() ? r.subject.revisions().get(k) : null;
      if (v == null) {
        whole(old, now, r.subject);
        continue;
      }
      Map<String, String> fresh = new TreeMap<>(v.sources());
      for (String f : v.stale()) {
        fresh.remove(f);
        copy(old, now, compiled.bySource().getOrDefault(f, List.of()));
      }
      sources.put(r.subject.home(), fresh);
    }
    Map<String, String> failed = compiler.compile(sources, now).failed();
    Map<String, Map<String, String>> ends = new TreeMap<>();
    for (Run r : runs.values()) {
      if (!sources.containsKey(r.subject.home())) continue;
      Map<String, String> e = failed.containsKey(r.subject.home()) ? null : jvm.run(now, library, r.subject.tests());
      if (e == null) {
        counts.unusable++;
        whole(old, now, r.subject);
      } else {
        ends.put(r.subject.home(), e);
      }
    }
    Selector.Answer a = ask(old, now);
    Change change = Change.between(old, now);
    for (Run r : runs.values()) {
      if (!ends.containsKey(r.subject.home())) continue;
      Selector.Answer mine = runs.size() > 1 && (a.all() || a.error() != null) ? alone(r.subject, old, now) : a;
      judge(r, r.subject.revisions().get(k), ends.get(r.subject.home()), mine, change, old, now);
    }
    if (recorded) recordNew(now, ends);
  }

  private void judge(Run r, Subject.Revision v, Map<String, String> ends, Selector.Answer a, Change change, Path old, Path now) throws IOException {
    counts.pairs++;
    if (!v.stale().isEmpty()) counts.stalePairs++;
    counts.families.merge(r.subject.family(), 1, Integer::sum);
    for (String c : v.changes()) counts.operators.merge(c.split(" ")[0], 1, Integer::sum);
    if (a.error() != null) {
      find("R6", r.subject, v.name(), Set.of(), "no answer: " + a.error());
      return;
    }
    int tests = 0;
    int flips = 0;
    int chosen = 0;
    int touched = 0;
    int ran = 0;
    int excused = 0;
    int changedOrRan = 0;
    Set<String> missed = new TreeSet<>();
    for (String t : r.subject.tests()) {
      if (!r.passes(t)) continue;
      Set<String> atoms = rows.getOrDefault(id(t), Set.of());
      boolean flip = !r.outcomes.get(t).equals(ends.get(t));
      boolean touches = change.touches(atoms);
      boolean runs = change.ran(atoms);
      boolean selected = a.has(id(t));
      tests++;
      if (flip) flips++;
      if (selected) chosen++;
      if (touches) touched++;
      if (runs) ran++;
      if (flip || touches) excused++;
      if (flip || runs) changedOrRan++;
      if (flip && !selected) missed.add(t);
      if (!flip && selected) counts.selectedUnaffected++;
      if (!flip && selected && !runs) {
        counts.unexplained++;
        counts.causes.merge(a.all() ? "all" : String.join(" ", a.rules().getOrDefault(id(t), Set.of())), 1, Integer::sum);
      }
    }
    counts.tests += tests;
    counts.flips += flips;
    counts.selected += chosen;
    counts.unaffected += tests - flips;
    if (!missed.isEmpty() && !steady(r, ends, missed, old, now)) {
      counts.flaky++;
      missed.clear();
    }
    counts.check("R1", flips);
    String one = missed.isEmpty() ? "" : missed.iterator().next();
    if (!missed.isEmpty()) find("R1", r.subject, v.name(), missed, v.changes() + (v.stale().isEmpty() ? "" : " with stale classes") + ": " + r.outcomes.get(one) + " -> " + ends.get(one));
    if (tests == 0) return;
    counts.check("R2", 1);
    counts.check("R4", 1);
    if (chosen == 0 && touched == tests && ran == tests) find("R2", r.subject, v.name(), Set.of(), v.changes() + ": selects nothing, classes-touched and method-diff everything");
    // All programs of a batch share one JVM: what code of one may leave there is met by the tests of all of them.
    boolean byState = r.subject.tests().stream().filter(r::passes)
        .allMatch(t -> java.util.Set.of("D24", "T10", "T11").containsAll(a.rules().getOrDefault(id(t), Set.of())));
    if (chosen == tests && touched == 0 && ran == 0 && flips == 0 && !byState) find("R4", r.subject, v.name(), Set.of(), v.changes() + ": selects everything" + a.why() + ", classes-touched and method-diff nothing");
    r.rounds++;
    if (chosen == tests) {
      r.all++;
      counts.everything.merge(flips == tests ? "changed" : changedOrRan == tests ? "ran" : excused == tests ? "loaded" : "other", 1, Integer::sum);
    }
    if (excused < tests) r.excused = false;
  }

  /** On a machine that stands still a JVM is given up that did nothing wrong. */
  private Map<String, String> again(Path root, Subject s) throws IOException {
    Map<String, String> ends = null;
    for (int attempt = 0; ends == null && attempt < 3; attempt++) ends = jvm.run(root, library, s.tests());
    return ends;
  }

  /** A miss must show again. */
  private boolean steady(Run r, Map<String, String> ends, Set<String> missed, Path old, Path now) throws IOException {
    return r.outcomes.equals(again(old, r.subject)) && ends.equals(again(now, r.subject));
  }

  /** R7 of a later revision: the recorder in it changes nothing either. */
  private void recordNew(Path now, Map<String, Map<String, String>> ends) throws IOException {
    Path outcomes = dir.resolve("outcomes-new.txt");
    List<String> tests = new ArrayList<>();
    for (Run r : runs.values()) {
      tests.addAll(r.subject.tests());
      if (ends.containsKey(r.subject.home())) r.outcomes = ends.get(r.subject.home());
    }
    Files.write(dir.resolve("tests.txt"), tests);
    String error = selector.record(dir, now, library, dir.resolve("tests.txt"), dir.resolve("rows-new.db"), outcomes);
    if (error == null) {
      compare(now, outcomes, false);
    } else {
      for (Run r : runs.values()) find("R6", r.subject, r.subject.name(), Set.of(), error);
    }
  }
}
