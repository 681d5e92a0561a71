// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A random program and random changes of it, as source texts. */
public final class Programs {
  private static final Pattern NAMES = Pattern.compile("(?<![\\w.$])([pq])\\.(?=[A-Z])");

  public static final class Base {
    private final Model model;
    private final Map<String, String> sources;
    private final Autoep autoep;
    private final String family;

    private Base(Model model, Autoep autoep, String family) {
      this.model = model;
      this.sources = model.sources();
      this.autoep = autoep;
      this.family = family;
    }

    public Map<String, String> sources() {
      return sources;
    }

    /** Class#method of every test, sorted. */
    public Set<String> tests() {
      return Programs.tests(model);
    }

    /** JD1 to JD10, "own" or "rich". */
    public String family() {
      return family;
    }

    /** One to three changes; half of the mutants keep old class files of sources that did not change. Null when nothing changed. */
    public Mutant mutant(Random random) {
      Model m = model.copy();
      List<String> changes = new ArrayList<>();
      if (autoep != null) {
        for (int attempt = 0; attempt < 20 && changes.isEmpty(); attempt++) {
          String what = autoep.evolve(m, random);
          if (what != null) changes.add(what);
        }
      } else {
        Mutate mutate = new Mutate(random, m);
        int n = 1 + (random.nextInt(3) == 0 ? 1 : 0) + (random.nextInt(6) == 0 ? 1 : 0);
        for (int attempt = 0; attempt < 40 && changes.size() < n; attempt++) {
          String what = mutate.apply();
          if (what != null) changes.add(what);
        }
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
    return new Base(new Gen(random, 0).program(), null, "own");
  }

  /** More constructs, up to those of that release. */
  public static Base rich(Random random, int feature) {
    return new Base(new Gen(random, feature).program(), null, "rich");
  }

  /** A program as the checker of RTSCheck invents them, to be changed by its operators. */
  public static Base autoep(Random random) {
    Autoep a = new Autoep(random);
    return new Base(a.program(), a, a.family());
  }

  static Set<String> tests(Model model) {
    Set<String> out = new TreeSet<>();
    for (Model.Unit u : model.units) {
      if (!u.test) continue;
      for (Model.Member m : u.members) if (m.annotation.contains("Test")) out.add(u.fqn() + "#" + m.name);
    }
    return out;
  }

  /** The same text with every package of the program below {@code home}, so that many programs are one. */
  public static String below(String home, String text) {
    Matcher m = NAMES.matcher(text);
    String moved = m.replaceAll(home + ".$1.");
    return moved.startsWith("package p;") || moved.startsWith("package q;") ? "package " + home + "." + moved.substring("package ".length()) : moved;
  }

  /** Source text of the library that the programs use, rejig/ev/Ev.java. */
  public static String library() {
    return EvSource.TEXT;
  }
}
