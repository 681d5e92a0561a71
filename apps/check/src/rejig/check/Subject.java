// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import rejig.check.evolve.Programs;

/** A program and its revisions as texts, all below a package of its own. {@code revisions} may hold nulls: nothing changed. */
record Subject(String name, String home, String family, Set<String> tests, Map<String, String> base, List<Revision> revisions) {
  /** {@code stale}: sources whose class files are kept. */
  record Revision(String name, Map<String, String> sources, Set<String> stale, List<String> changes) {}

  /** Even seeds are programs of ours, every other one of them with more constructs, up to those of the running Java; odd ones are those of AutoEP. */
  static Subject invent(long seed, int revisions) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    Programs.Base base = seed % 2 != 0 ? Programs.autoep(random) : seed % 4 == 0 ? Programs.base(random) : Programs.rich(random, Runtime.version().feature());
    List<Revision> later = new ArrayList<>();
    for (int k = 0; k < revisions; k++) {
      Programs.Mutant m = base.mutant(new Random(seed * 31 + k));
      later.add(m == null ? null : new Revision(seed + ":" + k, m.sources(), m.stale(), m.changes()));
    }
    return new Subject("" + seed, "", base.family(), base.tests(), base.sources(), later);
  }

  Subject at(String place) {
    List<Revision> moved = new ArrayList<>();
    for (Revision r : revisions) moved.add(r == null ? null : new Revision(r.name, below(place, r.sources), below(place, r.stale), r.changes));
    Set<String> ids = new TreeSet<>();
    for (String t : tests) ids.add(place + "." + t);
    return new Subject(name, place, family, ids, below(place, base), moved);
  }

  /** The same outside of the package it was judged in. */
  static Subject plain(Subject s) {
    String in = s.home + "[./]";
    List<Revision> out = new ArrayList<>();
    for (Revision r : s.revisions) out.add(r == null ? null : new Revision(r.name, without(in, r.sources), without(in, r.stale), r.changes));
    return new Subject(s.name, "", s.family, without(in, s.tests), without(in, s.base), out);
  }

  private static Map<String, String> without(String place, Map<String, String> sources) {
    Map<String, String> out = new TreeMap<>();
    for (var e : sources.entrySet()) out.put(e.getKey().replaceFirst("^" + place, ""), e.getValue().replaceAll("(?<![\\w.$])" + place + "(?=[pq]\\b)", ""));
    return out;
  }

  private static Set<String> without(String place, Set<String> names) {
    Set<String> out = new TreeSet<>();
    for (String n : names) out.add(n.replaceFirst("^" + place, ""));
    return out;
  }

  private static Map<String, String> below(String place, Map<String, String> sources) {
    Map<String, String> out = new TreeMap<>();
    for (var e : sources.entrySet()) out.put(place + "/" + e.getKey(), Programs.below(place, e.getValue()));
    return out;
  }

  private static Set<String> below(String place, Set<String> paths) {
    Set<String> out = new TreeSet<>();
    for (String p : paths) out.add(place + "/" + p);
    return out;
  }
}
