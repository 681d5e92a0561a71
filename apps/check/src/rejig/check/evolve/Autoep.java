// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rejig.check.evolve.Model.Kind;
import rejig.check.evolve.Model.Member;
import rejig.check.evolve.Model.Unit;

/**
 * Small programs under one of the ten constraints of RTSCheck's AutoEP, with random call sequences as tests, and its nine evolution operators. Three or four classes in two
 * packages share so few names that they override, overload and hide each other. Half of the programs end each test by reading the state of its objects reflectively, as the
 * paper does; the others see only what calls return.
 */
final class Autoep {
  static final String[] FAMILIES = {"JD1", "JD2", "JD3", "JD4", "JD5", "JD6", "JD7", "JD8", "JD9", "JD10"};
  private static final String[] METHODS = {"m0", "m1", "m2"};
  private static final String[] FIELDS = {"f0", "f1"};
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.\"])\\d+(?![\\w\"])");

  private final Random random;
  private final String family;
  private final boolean readsState;
  private final java.util.Map<String, String> access = new java.util.TreeMap<>();
  private int counter;

  Autoep(Random random) {
    this.random = random;
    this.family = FAMILIES[random.nextInt(FAMILIES.length)];
    this.readsState = random.nextBoolean();
  }

  String family() {
    return family;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private static <T> T pick(List<T> l, Random r) {
    return l.isEmpty() ? null : l.get(r.nextInt(l.size()));
  }

  Model program() {
    Model m = invent();
    for (int attempt = 0; attempt < 2000 && !holds(m); attempt++) m = invent();
    tests(m);
    return m;
  }

  private static boolean declares(Unit u, String kind) {
    return u.members.stream().anyMatch(k -> k.kind.equals(kind));
  }

  private boolean holds(Model m) {
    List<Unit> all = m.units;
    return switch (family) {
      case "JD2" -> all.stream().anyMatch(u -> declares(u, "method") && m.unit(u.ext) != null);
      case "JD3" -> all.stream().anyMatch(u -> declares(u, "method") && all.stream().anyMatch(s -> s.ext.equals(u.fqn())));
      case "JD4" -> all.stream().anyMatch(u -> declares(u, "field") && m.unit(u.ext) != null);
      case "JD5" -> all.stream().anyMatch(u -> declares(u, "method") && declares(u, "field"));
      case "JD6" -> all.stream().anyMatch(u -> m.unit(u.ext) != null);
      case "JD7" -> all.stream().anyMatch(u -> declares(u, "method"));
      case "JD8" -> all.stream().anyMatch(u -> declares(u, "field"));
      case "JD9" -> all.stream().anyMatch(u -> u.members.stream().anyMatch(k -> k.kind.equals("method") && k.body.get(0).matches(".*\\.m\\d\\(.*")));
      case "JD10" -> all.stream().anyMatch(u -> u.members.stream().anyMatch(k -> k.kind.equals("method") && k.body.get(0).matches(".*\\.f\\d.*")));
      default -> true;
    };
  }

  /** The same for all members of a name, so that overriding compiles. */
  private String access(String name) {
    return access.computeIfAbsent(name, n -> chance(80) ? "public" : "protected");
  }

  private boolean open(String name) {
    return access(name).equals("public");
  }

  /** A call of {@code name} on something of type {@code u}; with a long only where one is taken. */
  private String call(Model m, Unit u, String name) {
    boolean wide = m.supers(u).stream().anyMatch(s -> s.members.stream().anyMatch(k -> k.name.equals(name) && k.params.startsWith("long")));
    boolean narrow = m.supers(u).stream().anyMatch(s -> s.members.stream().anyMatch(k -> k.name.equals(name) && k.params.startsWith("int")));
    return name + "(" + (wide && (!narrow || chance(50)) ? "2L" : "" + random.nextInt(5)) + ")";
  }

  private Model invent() {
    access.clear();
    Model m = new Model();
    int n = 3 + random.nextInt(2);
    for (int i = 0; i < n; i++) {
      Unit u = new Unit();
      u.kind = Kind.CLASS;
      u.pkg = chance(70) ? "p" : "q";
      u.name = "" + (char) ('A' + i);
      u.mods.add("public");
      if (i > 0 && chance(55)) u.ext = m.units.get(random.nextInt(i)).fqn();
      m.units.add(u);
    }
    for (Unit u : m.units) for (String f : FIELDS) if (chance(35)) u.members.add(field(m, f));
    for (Unit u : m.units) {
      for (String k : METHODS) {
        if (!chance(40)) continue;
        u.members.add(method(k, "int", "int x"));
        if (chance(30)) u.members.add(method(k, "int", "long x"));
      }
    }
    for (Unit u : m.units) for (Member k : u.members) if (k.kind.equals("method")) k.body.add("return " + expression(m, u, k) + ";");
    return m;
  }

  /** A neighbour of the program in the order in which they are made: the same classes, most of their members, some other superclasses, and bodies anew where they call. */
  private void follow(Model m, List<Unit> program) {
    for (Unit u : program) {
      if (chance(10)) u.ext = m.units.indexOf(u) > 0 && chance(60) ? program.get(random.nextInt(program.indexOf(u))).fqn() : "";
      u.members.removeIf(k -> chance(7));
      for (String f : FIELDS) if (chance(10) && u.members.stream().noneMatch(k -> k.name.equals(f))) u.members.add(field(m, f));
      for (String k : METHODS) if (chance(10) && u.members.stream().noneMatch(o -> o.name.equals(k))) u.members.add(method(k, "int", "int x"));
    }
    for (Unit u : program) {
      for (Member k : u.members) {
        boolean whole = !k.body.isEmpty() && (k.kind.equals("field") || k.body.get(0).matches("return (\\d+|\\(.*);"));
        if (!whole || chance(20)) k.body = new ArrayList<>(List.of(k.kind.equals("field") ? "" + (10 + random.nextInt(10)) : "return " + expression(m, u, k) + ";"));
      }
    }
  }

  private Member field(Model m, String name) {
    Member f = new Member("field");
    f.mods.add(access(name));
    if (chance(15)) f.mods.add("static");
    f.name = name;
    f.body = new ArrayList<>(List.of("" + (10 + random.nextInt(10))));
    return f;
  }

  private Member method(String name, String type, String params) {
    Member k = new Member("method");
    k.mods.add(access(name));
    k.type = type;
    k.name = name;
    k.params = params;
    k.body = new ArrayList<>();
    return k;
  }

  /** What a method returns: a constant, a field or another call; calls go to methods of a lower number only. */
  private String expression(Model m, Unit u, Member k) {
    int rank = k.name.charAt(1) - '0';
    List<String> out = new ArrayList<>();
    out.add("" + random.nextInt(10));
    for (String f : FIELDS) {
      if (m.understands(u, "field", f, false) || m.understands(u, "field", f, true)) out.add("this." + f);
      if (m.unit(u.ext) != null && m.understands(m.unit(u.ext), "field", f, false)) out.add("super." + f);
    }
    Unit other = pick(m.units, random);
    for (String f : FIELDS) if (open(f) && m.understands(other, "field", f, false)) out.add("new " + other.fqn() + "()." + f);
    for (int r = 0; r < rank; r++) {
      if (m.understands(u, "method", METHODS[r], false)) out.add("this." + call(m, u, METHODS[r]));
      if (m.unit(u.ext) != null && m.understands(m.unit(u.ext), "method", METHODS[r], false)) out.add("super." + call(m, m.unit(u.ext), METHODS[r]));
      if (open(METHODS[r]) && m.understands(other, "method", METHODS[r], false)) out.add("new " + other.fqn() + "()." + call(m, other, METHODS[r]));
    }
    out.add("(((Object) new " + other.fqn() + "()) instanceof " + pick(m.units, random).fqn() + " ? 1 : 2)");
    return pick(out, random);
  }

  private void tests(Model m) {
    List<Unit> program = List.copyOf(m.units);
    int[] lengths = {1, 2, 4, 12};
    for (int t = 0; t < 2; t++) {
      Unit u = new Unit();
      u.pkg = "p";
      u.name = "T" + t;
      u.mods.add("public");
      u.test = true;
      for (int i = 0; i < 4; i++) {
        Member k = new Member("method");
        k.mods.add("public");
        k.annotation = "@org.junit.Test";
        k.type = "void";
        k.name = "t" + i;
        k.body = new ArrayList<>();
        sequence(m, program, k, lengths[i]);
        u.members.add(k);
      }
      m.units.add(u);
    }
  }

  private void sequence(Model m, List<Unit> program, Member test, int length) {
    List<String> names = new ArrayList<>();
    List<Unit> types = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      if (names.isEmpty() || chance(30)) {
        Unit c = pick(program, random);
        Unit view = pick(m.supers(c), random);
        String v = "v" + counter++;
        test.body.add(view.fqn() + " " + v + " = new " + c.fqn() + "();");
        names.add(v);
        types.add(view);
      }
      int at = random.nextInt(names.size());
      String v = names.get(at);
      List<String> uses = new ArrayList<>();
      for (Unit s : m.supers(types.get(at))) {
        for (Member k : s.members) {
          if (!k.mods.contains("public")) continue;
          if (k.kind.equals("field")) uses.add("rejig.ev.Ev.log(\"f\", " + v + "." + k.name + ");");
          if (k.kind.equals("method")) uses.add("rejig.ev.Ev.log(\"r\", " + v + "." + call(m, types.get(at), k.name) + ");");
        }
      }
      uses.add("rejig.ev.Ev.log(\"t\", ((Object) " + v + ") instanceof " + pick(program, random).fqn() + " ? 1 : 0);");
      if (chance(10)) uses.add("rejig.ev.Ev.log(\"n\", " + v + ".getClass().getDeclaredFields().length);");
      test.body.add(pick(uses, random));
    }
    if (readsState) for (String v : names) test.body.add("rejig.ev.Ev.state(" + v + ");");
  }

  private static boolean plain(Unit u) {
    return !u.test;
  }

  /** One operator at one place; null when it does not fit. */
  String evolve(Model m, Random r) {
    int op = 1 + r.nextInt(9);
    List<Unit> program = new ArrayList<>(m.units);
    program.removeIf(u -> !plain(u));
    Unit u = pick(program, r);
    Unit to = pick(program, r);
    switch (op) {
      case 1:
        if (u == to || !u.ext.isEmpty() && r.nextBoolean() || u.ext.equals(to.fqn()) || m.supers(to).contains(u)) return null;
        u.ext = to.fqn();
        return "E1 " + u.name + " extends " + to.name;
      case 2:
      case 3:
      case 4:
      case 5: {
        String kind = op < 4 ? "field" : "method";
        List<Member> l = new ArrayList<>(u.members);
        l.removeIf(k -> !k.kind.equals(kind));
        Member k = pick(l, r);
        if (k == null || u == to || to.members.stream().anyMatch(o -> o.kind.equals(kind) && o.name.equals(k.name) && o.params.equals(k.params))) return null;
        Member copy = k.copy();
        if (op == 3 || op == 5) {
          String changed = larger(copy.body.get(0), r);
          if (changed == null) return null;
          copy.body.set(0, changed);
        }
        to.members.add(copy);
        return "E" + op + " " + u.name + "." + k.name + " to " + to.name;
      }
      case 6: {
        Autoep next = new Autoep(new Random(r.nextLong()));
        next.access.putAll(access);
        next.follow(m, program);
        return "E6 next program";
      }
      case 7: {
        List<Member> l = new ArrayList<>(u.members);
        l.removeIf(k -> larger(k.body.get(0), new Random(1)) == null);
        Member k = pick(l, r);
        if (k == null) return null;
        k.body.set(0, larger(k.body.get(0), r));
        return "E7 " + u.name + "." + k.name;
      }
      case 8:
        if (u.ext.isEmpty()) return null;
        u.ext = "";
        return "E8 " + u.name;
      default: {
        List<Member> l = new ArrayList<>(u.members);
        l.removeIf(k -> !k.kind.equals("method"));
        Member k = pick(l, r);
        return k == null || !u.members.remove(k) ? null : "E9 " + u.name + "." + k.name;
      }
    }
  }

  private static String larger(String text, Random r) {
    Matcher n = NUMBER.matcher(text);
    if (!n.find()) return null;
    return text.substring(0, n.start()) + (Integer.parseInt(n.group()) + 1 + r.nextInt(5)) + text.substring(n.end());
  }
}
