// SPDX-License-Identifier: Apache-2.0
package rejig.harness.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A random program and random changes of it, as source texts. */
public final class Programs {
  public static final class Base {
    private final Model model;
    private final Map<String, String> sources;

    private Base(Model model) {
      this.model = model;
      this.sources = model.sources();
    }

    public Map<String, String> sources() {
      return sources;
    }

    /** One to three changes; half of the mutants keep old class files of sources that did not change. Null when nothing changed. */
    public Mutant mutant(Random random) {
      Model m = model.copy();
      Mutate mutate = new Mutate(random, m);
      List<String> changes = new ArrayList<>();
      int n = 1 + (random.nextInt(3) == 0 ? 1 : 0) + (random.nextInt(6) == 0 ? 1 : 0);
      for (int attempt = 0; attempt < 40 && changes.size() < n; attempt++) {
        String what = mutate.apply();
        if (what != null) changes.add(what);
      }
      Map<String, String> after = new TreeMap<>(m.sources());
      Set<String> stale = new TreeSet<>();
      boolean incremental = random.nextBoolean();
      boolean all = random.nextInt(3) > 0;
      for (String f : after.keySet()) {
        if (incremental && after.get(f).equals(sources.get(f)) && (all || random.nextBoolean())) stale.add(f);
      }
      return after.equals(sources) ? null : new Mutant(after, stale, changes);
    }
  }

  public record Mutant(Map<String, String> sources, Set<String> stale, List<String> changes) {}

  private Programs() {}

  public static Base base(Random random) {
    return new Base(new Gen(random).program());
  }

  /** Source text of the library that the programs use, ev/Ev.java. */
  public static String library() {
    return EvSource.TEXT;
  }
}
