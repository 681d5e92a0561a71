// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import rejig.check.evolve.Model.Kind;
import rejig.check.evolve.Model.Member;
import rejig.check.evolve.Model.Unit;

/** Invents programs: a hierarchy first, then members drawn from few names so that they override and hide each other, then bodies. */
final class Gen {
  static final String[] METHODS = {"m0", "m1", "m2", "m3"};
  static final String[] STATICS = {"s0", "s1", "s2", "s3"};
  static final String[] DEFAULTS = {"d0", "d1"};
  static final String[] FIELDS = {"f0", "f1"};
  static final String[] STATIC_FIELDS = {"g0", "g1"};

  final Random random;
  final Model model;
  private final Text text;

  /** @see Model#feature */
  Gen(Random random, int feature) {
    this.random = random;
    this.model = new Model();
    model.feature = feature;
    this.text = new Text(random, model);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pkg() {
    return chance(75) ? "p" : "q";
  }

  Model program() {
    interfaces();
    classes();
    exceptions();
    specials();
    for (Unit u : List.copyOf(model.units)) members(u);
    for (Unit u : model.units) bodies(u);
    tests();
    return model;
  }

  private Unit unit(Kind kind, String name) {
    Unit u = new Unit();
    u.kind = kind;
    u.pkg = pkg();
    u.name = name;
    u.mods.add("public");
    model.units.add(u);
    return u;
  }

  private void interfaces() {
    for (int i = 0; i < 3; i++) {
      Unit u = unit(Kind.INTERFACE, "I" + i);
      if (i > 0 && chance(40)) u.impls.add(model.units.get(random.nextInt(i)).fqn());
    }
    Unit f = unit(Kind.INTERFACE, "F0");
    f.members.add(method("ap", false, null));
    if (chance(50)) f.members.add(method("dd", true, new ArrayList<>()));
    Unit g = unit(Kind.INTERFACE, "G0");
    g.typeParams = "<T>";
    Member ga = method("ga", false, null);
    ga.params = "T t";
    g.members.add(ga);
  }

  private void classes() {
    int n = 8 + random.nextInt(6);
    List<Unit> made = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Unit u = unit(Kind.CLASS, "C" + i);
      if (!made.isEmpty() && chance(65)) u.ext = made.get(random.nextInt(made.size())).fqn();
      for (int k = 0; k < 3; k++) if (chance(25)) u.impls.add(named("I" + k).fqn());
      if (chance(10)) u.impls.add("java.io.Serializable");
      made.add(u);
    }
  }

  private Unit named(String name) {
    for (Unit u : model.units) if (u.name.equals(name)) return u;
    throw new IllegalStateException(name);
  }

  private void exceptions() {
    for (int i = 0; i < 3; i++) {
      Unit u = unit(Kind.CLASS, "X" + i);
      u.exception = true;
      u.ext = i == 0 || chance(40) ? (chance(70) ? "RuntimeException" : "IllegalStateException") : named("X" + random.nextInt(i)).fqn();
    }
  }

  private void specials() {
    Unit e = unit(Kind.ENUM, "E0");
    for (String c : List.of("A", "B", "C")) e.header.add(c + (chance(20) ? " { public int em(int x) { return " + random.nextInt(9) + "; } }" : ""));
    Unit r = unit(Kind.RECORD, "R0");
    r.header.add("int a");
    r.header.add("int b");
    if (chance(30)) r.impls.add(named("I0").fqn());
    Unit z = unit(Kind.INTERFACE, "Z0");
    z.pkg = "p";
    z.mods.add("sealed");
    for (int i = 1; i <= 2; i++) {
      Unit c = unit(Kind.CLASS, "Z" + i);
      c.pkg = "p";
      c.mods.add("final");
      c.impls.add("p.Z0");
      z.permits.add(c.fqn());
    }
    Unit h = unit(Kind.CLASS, "H0");
    h.impls.add(named("G0").fqn() + "<String>");
    Unit h1 = unit(Kind.CLASS, "H1");
    h1.ext = h.fqn();
    Unit s = unit(Kind.CLASS, "S0");
    s.serial = true;
    s.impls.add("java.io.Serializable");
  }

  static Member method(String name, boolean isDefault, List<String> body) {
    Member m = new Member("method");
    if (isDefault) m.mods.add("default");
    m.name = name;
    m.params = "int x";
    m.body = body;
    return m;
  }

  private void members(Unit u) {
    switch (u.kind) {
      case INTERFACE -> interfaceMembers(u);
      case ENUM -> {
        Member em = method("em", false, new ArrayList<>());
        em.mods.add("public");
        u.members.add(em);
        u.members.add(raw("new", u.name + "() { rejig.ev.Ev.log(getClass().getName(), ordinal()); }"));
      }
      case RECORD -> {
        if (chance(30)) u.members.add(publicMethod("m0"));
        u.members.add(raw("new", "public " + u.name + " { rejig.ev.Ev.log(\"" + u.name + ".new\", a * 10 + b); }"));
      }
      case CLASS -> classMembers(u);
    }
  }

  private static Member raw(String name, String text) {
    Member m = new Member("raw");
    m.name = name;
    m.body = new ArrayList<>(List.of(text));
    return m;
  }

  private Member publicMethod(String name) {
    Member m = method(name, false, new ArrayList<>());
    m.mods.add("public");
    return m;
  }

  private void interfaceMembers(Unit u) {
    if (u.name.equals("Z0")) {
      Member m = method("zm", false, null);
      u.members.add(m);
      return;
    }
    if (!u.name.startsWith("I")) return;
    for (String d : DEFAULTS) if (chance(35)) u.members.add(method(d, true, new ArrayList<>()));
    if (chance(25)) u.members.add(method(METHODS[random.nextInt(METHODS.length)], true, new ArrayList<>()));
    if (chance(30)) {
      Member s = method("is0", false, new ArrayList<>());
      s.mods.add("static");
      u.members.add(s);
    }
    if (chance(25)) {
      Member s = method("ip", false, new ArrayList<>());
      s.mods.add("private");
      u.members.add(s);
    }
    if (chance(40)) field(u, "IF", false, true);
    if (chance(20)) field(u, "IK", false, false);
  }

  /** An initializer that leaves a trace. */
  static String logged(Unit u, String name, Random random) {
    return "rejig.ev.Ev.log(\"" + u.name + "." + name + "\", " + random.nextInt(9) + ")";
  }

  private Member field(Unit u, String name, boolean isStatic, boolean dynamic) {
    Member f = new Member("field");
    if (u.kind != Kind.INTERFACE) f.mods.add("public");
    if (isStatic) f.mods.add("static");
    f.name = name;
    f.body = new ArrayList<>(List.of(dynamic ? logged(u, name, random) : "" + random.nextInt(9)));
    u.members.add(f);
    return f;
  }

  private void classMembers(Unit u) {
    for (String s : STATIC_FIELDS) if (chance(35)) field(u, s, true, chance(92));
    if (chance(20)) field(u, "K0", true, false).mods.add("final");
    for (String s : FIELDS) if (chance(35)) field(u, s, false, chance(92));
    if (chance(25)) u.members.add(block("static"));
    if (chance(20)) u.members.add(block("init"));
    Member c = new Member("ctor");
    c.mods.add("public");
    c.name = u.name;
    c.params = "int x";
    c.body = new ArrayList<>();
    u.members.add(c);
    for (String s : STATICS) {
      if (!chance(30)) continue;
      Member m = publicMethod(s);
      m.mods.add("static");
      if (chance(10)) m.mods.add("synchronized");
      u.members.add(m);
    }
    for (String s : METHODS) if (chance(45)) u.members.add(publicMethod(s));
    if (chance(30)) {
      Member k = method("k0", false, new ArrayList<>());
      k.mods.add("protected");
      u.members.add(k);
    }
    if (chance(30)) u.members.add(method("k1", false, new ArrayList<>()));
    if (chance(30)) {
      Member r = method("r0", false, new ArrayList<>());
      r.mods.add("private");
      u.members.add(r);
    }
    if (chance(20)) u.members.add(text.toStringMethod(u));
    if (chance(12)) u.members.add(text.equalsMethod(u));
    if (chance(15)) u.members.add(text.hashCodeMethod(u));
    if (chance(25)) u.members.add(text.covariant(u));
    if (chance(25)) u.members.add(text.nested(u));
    text.more(u);
    if (u.serial) {
      Member v = new Member("field");
      v.mods.add("public");
      v.name = "v";
      v.body = new ArrayList<>(List.of("3"));
      u.members.add(v);
    }
    if (u.name.startsWith("Z") && u.has("ctor", u.name)) u.members.add(publicMethod("zm"));
    if (u.name.equals("H0") || u.name.equals("H1") && chance(50)) {
      Member ga = publicMethod("ga");
      ga.params = "String t";
      u.members.add(ga);
    }
    resolveDiamonds(u);
  }

  /** A default of two unrelated interfaces has to be overridden for the class to compile. */
  private void resolveDiamonds(Unit u) {
    for (String[] names : new String[][] {DEFAULTS, METHODS}) {
      for (String d : names) {
        if (u.has("method", d)) continue;
        boolean inClass = model.supers(u).stream().anyMatch(c -> c.has("method", d));
        long sources = model.supertypes(u).stream().filter(i -> i.kind == Kind.INTERFACE && i.has("method", d)).count();
        if (!inClass && sources > 1) u.members.add(publicMethod(d));
      }
    }
  }

  private static Member block(String kind) {
    Member m = new Member(kind);
    m.body = new ArrayList<>();
    return m;
  }

  private void bodies(Unit u) {
    for (Member m : u.members) if (m.body != null && m.body.isEmpty()) text.fill(u, m);
  }

  private void tests() {
    for (int t = 0; t < 4; t++) {
      Unit u = unit(Kind.CLASS, "T" + t);
      u.test = true;
      u.pkg = t == 0 ? "p" : pkg();
      for (int i = 0; i < 4; i++) {
        Member m = new Member("method");
        m.mods.add("public");
        m.annotation = "@org.junit.Test";
        m.type = "void";
        m.name = "t" + i;
        m.body = new ArrayList<>();
        u.members.add(m);
        text.fillTest(u, m, chance(15));
      }
    }
  }
}
