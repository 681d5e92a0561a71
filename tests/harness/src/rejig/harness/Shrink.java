// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import rejig.check.evolve.Lines;
import rejig.check.evolve.Programs;

/** Makes a failing pair small: removes files, blocks and lines of both versions, and undoes changes, as long as it still fails the same way. */
final class Shrink {
  private final Trial trial;
  private final boolean trouble;
  private final boolean facts;
  private CaseFile.Case best;

  Shrink(Trial trial, Map<String, String> before, Map<String, String> after, Set<String> stale, boolean trouble, boolean facts) {
    this.trial = trial;
    this.trouble = trouble;
    this.facts = facts;
    this.best = new CaseFile.Case();
    best.tags.put("noimports", "yes");
    best.tags.put("stale", String.join(", ", stale));
    Set<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    for (String p : paths) best.files.put(p, Lines.diff(Lines.of(before.get(p)), Lines.of(after.get(p))));
  }

  private boolean fails(CaseFile.Case c) throws IOException, Lab.Unavailable {
    Map<String, String> before = c.version('-');
    Map<String, String> after = c.version('+');
    Set<String> stale = c.stale();
    stale.retainAll(after.keySet());
    stale.removeIf(f -> !after.get(f).equals(before.get(f)));
    List<Trial.Verdict> v = trial.both(before, after, stale);
    if (v == null) return false;
    if (trouble) return trial.error != null;
    return v.stream().anyMatch(x -> facts ? x.missedF() : x.missedM());
  }

  private CaseFile.Case copy() {
    CaseFile.Case c = new CaseFile.Case();
    c.id = best.id;
    c.tags.putAll(best.tags);
    for (var e : best.files.entrySet()) c.files.put(e.getKey(), new ArrayList<>(e.getValue()));
    return c;
  }

  private boolean keepIfFails(CaseFile.Case c) throws IOException, Lab.Unavailable {
    if (!fails(c)) return false;
    best = c;
    return true;
  }

  CaseFile.Case run(int seconds) throws IOException, Lab.Unavailable {
    if (seconds <= 0 || !fails(best)) return best;
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    boolean progress = true;
    while (progress && System.nanoTime() < end) {
      progress = false;
      for (String f : new ArrayList<>(best.files.keySet())) {
        if (System.nanoTime() > end) break;
        CaseFile.Case c = copy();
        c.files.remove(f);
        progress |= keepIfFails(c);
      }
      for (String f : new ArrayList<>(best.files.keySet())) {
        for (int i = best.files.get(f).size() - 1; i > 0 && System.nanoTime() < end; i--) {
          if (i >= best.files.get(f).size()) continue;
          int block = blockEnd(best.files.get(f), i);
          progress |= block > i && remove(f, i, block) || remove(f, i, i) || undo(f, i) || unwrap(f, i, block);
        }
      }
    }
    return best;
  }

  /** Index of the line that closes the block opened on line {@code from}, or {@code from}. */
  private static int blockEnd(List<String> lines, int from) {
    int depth = 0;
    for (int i = from; i < lines.size(); i++) {
      for (char ch : lines.get(i).toCharArray()) depth += ch == '{' ? 1 : ch == '}' ? -1 : 0;
      if (i == from && depth <= 0) return from;
      if (depth <= 0 && !(i + 1 < lines.size() && lines.get(i).contains("}") && lines.get(i).contains("{"))) return i;
    }
    return from;
  }

  private boolean remove(String f, int from, int to) throws IOException, Lab.Unavailable {
    CaseFile.Case c = copy();
    c.files.get(f).subList(from, to + 1).clear();
    return keepIfFails(c);
  }

  private boolean unwrap(String f, int from, int to) throws IOException, Lab.Unavailable {
    if (to <= from + 1) return false;
    CaseFile.Case c = copy();
    c.files.get(f).remove(to);
    c.files.get(f).remove(from);
    return keepIfFails(c);
  }

  private boolean undo(String f, int i) throws IOException, Lab.Unavailable {
    String l = best.files.get(f).get(i);
    if (l.startsWith(" ")) return false;
    CaseFile.Case c = copy();
    c.files.get(f).set(i, " " + l.substring(1));
    return keepIfFails(c);
  }

  static String print(CaseFile.Case c, String what) {
    StringBuilder b = new StringBuilder("=== S-000 random\n@note: " + what.replace('\n', ' ') + "\n@noimports: yes\n");
    Map<String, String> after = c.version('+');
    Map<String, String> before = c.version('-');
    Set<String> stale = c.stale();
    stale.removeIf(f -> !after.containsKey(f) || !after.get(f).equals(before.get(f)));
    if (!stale.isEmpty()) b.append("@stale: ").append(String.join(", ", stale)).append('\n');
    for (var e : c.files.entrySet()) {
      b.append(">> ").append(e.getKey()).append('\n');
      for (String l : e.getValue()) b.append(l).append('\n');
    }
    b.append(">> lib/rejig/ev/Ev.java\n");
    for (String l : Programs.library().split("\n")) b.append(' ').append(l).append('\n');
    return b.toString();
  }
}
