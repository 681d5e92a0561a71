// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import rejig.check.evolve.Lines;
import rejig.check.evolve.Programs;

/** Makes a violating pair small: leaves out files, blocks and lines of both versions and undoes changes, many tries in one batch, as long as the rule is violated. */
final class Minimal {
  private static final int TRIES = 24;

  /** One line of one file, in both versions (' '), only before ('-') or only after ('+'). */
  private record Line(String file, int at) {}

  private record Edit(Set<Line> out, Set<Line> undone) {}

  interface Judge {
    /** For each subject whether the rule is violated. */
    List<Boolean> violates(List<Subject> subjects) throws IOException;
  }

  private final Judge judge;
  private final Set<String> tests;
  private final List<String> changes;
  private final Set<String> stale;
  private Map<String, List<String>> files = new TreeMap<>();

  Minimal(Judge judge, Subject subject, Subject.Revision revision, Set<String> tests) {
    this.judge = judge;
    this.tests = tests;
    this.changes = revision == null ? List.of() : revision.changes();
    this.stale = revision == null ? Set.of() : revision.stale();
    Map<String, String> after = revision == null ? subject.base() : revision.sources();
    Set<String> paths = new TreeSet<>(subject.base().keySet());
    paths.addAll(after.keySet());
    for (String p : paths) files.put(p, Lines.diff(Lines.of(subject.base().get(p)), Lines.of(after.get(p))));
  }

  private static Map<String, String> version(Map<String, List<String>> files, char mine) {
    Map<String, String> out = new TreeMap<>();
    for (var e : files.entrySet()) {
      StringBuilder b = new StringBuilder();
      for (String l : e.getValue()) if (l.charAt(0) == ' ' || l.charAt(0) == mine) b.append(l, 1, l.length()).append('\n');
      if (!b.isEmpty()) out.put(e.getKey(), b.toString());
    }
    return out;
  }

  private Set<String> kept(Map<String, List<String>> of) {
    Map<String, String> before = version(of, '-');
    Map<String, String> after = version(of, '+');
    Set<String> out = new TreeSet<>(stale);
    out.removeIf(f -> !after.containsKey(f) || !after.get(f).equals(before.get(f)));
    return out;
  }

  private Map<String, List<String>> apply(Edit e) {
    Map<String, List<String>> out = new TreeMap<>();
    for (var f : files.entrySet()) {
      List<String> l = new ArrayList<>();
      for (int i = 0; i < f.getValue().size(); i++) {
        Line at = new Line(f.getKey(), i);
        if (!e.out.contains(at)) l.add(e.undone.contains(at) ? " " + f.getValue().get(i).substring(1) : f.getValue().get(i));
      }
      if (!l.isEmpty()) out.put(f.getKey(), l);
    }
    return out;
  }

  private List<Boolean> violates(List<Edit> edits) throws IOException {
    List<Subject> subjects = new ArrayList<>();
    for (Edit e : edits) {
      Map<String, List<String>> f = apply(e);
      String name = "c" + subjects.size();
      subjects.add(new Subject(name, "", "minimal", tests, version(f, '-'), List.of(new Subject.Revision(name + ":0", version(f, '+'), kept(f), changes))));
    }
    return judge.violates(subjects);
  }

  private static Edit union(List<Edit> edits) {
    Edit all = new Edit(new java.util.HashSet<>(), new java.util.HashSet<>());
    for (Edit e : edits) {
      all.out.addAll(e.out);
      all.undone.addAll(e.undone);
    }
    return all;
  }

  /** The case, in the format of tests/cases. */
  String run(int seconds, String note) throws IOException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    boolean progress = seconds > 0;
    while (progress && System.nanoTime() < end) {
      progress = false;
      List<Edit> edits = edits();
      for (int from = 0; from < edits.size() && !progress && System.nanoTime() < end; from += TRIES) {
        List<Edit> some = edits.subList(from, Math.min(edits.size(), from + TRIES));
        List<Boolean> bad = violates(some);
        List<Edit> good = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) if (bad.get(i)) good.add(some.get(i));
        if (good.isEmpty()) continue;
        List<Edit> together = new ArrayList<>();
        for (int n = good.size(); n > 0; n /= 2) together.add(union(good.subList(0, n)));
        List<Boolean> still = violates(together);
        int best = still.indexOf(true);
        if (best < 0) continue;
        files = apply(together.get(best));
        progress = true;
      }
    }
    return print(note);
  }

  /** Big ones first: files, blocks, then lines. */
  private List<Edit> edits() {
    List<Edit> whole = new ArrayList<>();
    List<Edit> blocks = new ArrayList<>();
    List<Edit> single = new ArrayList<>();
    for (var f : files.entrySet()) {
      Set<Line> all = new java.util.HashSet<>();
      for (int i = 0; i < f.getValue().size(); i++) all.add(new Line(f.getKey(), i));
      whole.add(new Edit(all, Set.of()));
      for (int i = 1; i < f.getValue().size(); i++) {
        String l = f.getValue().get(i);
        int close = blockEnd(f.getValue(), i);
        if (close > i) {
          Set<Line> block = new java.util.HashSet<>();
          for (int k = i; k <= close; k++) block.add(new Line(f.getKey(), k));
          blocks.add(new Edit(block, Set.of()));
          if (close > i + 1) single.add(new Edit(Set.of(new Line(f.getKey(), i), new Line(f.getKey(), close)), Set.of()));
        } else if (!l.strip().equals("}")) {
          single.add(new Edit(Set.of(new Line(f.getKey(), i)), Set.of()));
        }
        if (l.charAt(0) != ' ') single.add(new Edit(Set.of(), Set.of(new Line(f.getKey(), i))));
      }
    }
    whole.addAll(blocks);
    whole.addAll(single);
    return whole;
  }

  private static int blockEnd(List<String> lines, int from) {
    int depth = 0;
    for (int i = from; i < lines.size(); i++) {
      for (char ch : lines.get(i).toCharArray()) depth += ch == '{' ? 1 : ch == '}' ? -1 : 0;
      if (i == from && depth <= 0) return from;
      if (depth <= 0 && !(i + 1 < lines.size() && lines.get(i).contains("}") && lines.get(i).contains("{"))) return i;
    }
    return from;
  }

  private String print(String note) {
    StringBuilder b = new StringBuilder("=== S-000 random\n@note: " + note.replace('\n', ' ') + "\n@noimports: yes\n");
    Set<String> k = kept(files);
    if (!k.isEmpty()) b.append("@stale: ").append(String.join(", ", k)).append('\n');
    for (var e : files.entrySet()) {
      b.append(">> ").append(e.getKey()).append('\n');
      for (String l : e.getValue()) b.append(l).append('\n');
    }
    b.append(">> lib/rejig/ev/Ev.java\n");
    for (String l : Programs.library().split("\n")) b.append(' ').append(l).append('\n');
    return b.toString();
  }
}
