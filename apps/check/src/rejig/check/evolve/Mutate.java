// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rejig.check.evolve.Model.Kind;
import rejig.check.evolve.Model.Member;
import rejig.check.evolve.Model.Unit;

/** Changes a program as people do, and as they should not: one operator at a time. The result need not compile. */
final class Mutate {
  static final String[] OPERATORS = {"constant", "statement-out", "statement-in", "override-in", "method-out", "hide-static", "method-rename", "overload", "pull-up", "push-down",
      "field-hide", "field-out", "field-value", "field-static", "field-type", "field-order", "constant-value", "superclass", "class-between", "interface-in", "interface-out",
      "default-in", "default-out", "static-init-in", "static-init-out", "init-swap", "init-in", "init-throws", "exception-super", "catch-type", "catch-order", "access", "final-method",
      "final-class", "abstract-class", "synchronized", "object-method-in", "object-method-out", "enum-add", "enum-order", "enum-body", "enum-out", "record-order", "record-add",
      "sealed", "lambda-in", "anonymous-in", "covariant", "switch-label", "annotation", "class-out", "class-in", "kind", "serial-member", "private-in", "static-toggle", "condition",
      "package-private-class", "interface-method-in", "interface-field"};

  private final Random random;
  private final Model model;
  private final Text text;

  Mutate(Random random, Model model) {
    this.random = random;
    this.model = model;
    this.text = new Text(random, model);
  }

  private <T> T pick(List<T> l) {
    return l.isEmpty() ? null : l.get(random.nextInt(l.size()));
  }

  private Unit unit(Predicate<Unit> p) {
    List<Unit> out = new ArrayList<>();
    for (Unit u : model.units) if (p.test(u)) out.add(u);
    return pick(out);
  }

  private static boolean plain(Unit u) {
    return u.kind == Kind.CLASS && !u.test && !u.exception;
  }

  private static Member member(Unit u, Random r, Predicate<Member> p) {
    if (u == null) return null;
    List<Member> out = new ArrayList<>();
    for (Member m : u.members) if (p.test(m)) out.add(m);
    return out.isEmpty() ? null : out.get(r.nextInt(out.size()));
  }

  private Member bodied(Unit u) {
    return member(u, random, m -> m.body != null && !m.body.isEmpty());
  }

  private String number() {
    return "" + random.nextInt(10);
  }

  /** One random change; null when the chosen operator does not fit this program. */
  String apply() {
    String op = OPERATORS[random.nextInt(OPERATORS.length)];
    // Every test that uses an enum or a record runs what these change, seldom with another outcome: rare, so that they do not drown the rest.
    if ((op.startsWith("enum") || op.startsWith("record")) && random.nextInt(4) > 0) op = OPERATORS[random.nextInt(OPERATORS.length)];
    String where = change(op);
    return where == null ? null : op + " " + where;
  }

  private String change(String op) {
    return switch (op) {
      case "constant", "statement-out", "statement-in", "lambda-in", "anonymous-in", "switch-label", "catch-type", "catch-order", "condition" -> body(op);
      case "override-in", "method-out", "hide-static", "method-rename", "overload", "pull-up", "push-down", "private-in", "object-method-in", "object-method-out", "covariant",
          "interface-method-in" -> method(op);
      case "field-hide", "field-out", "field-value", "field-static", "field-type", "field-order", "constant-value", "interface-field" -> field(op);
      case "superclass", "class-between", "interface-in", "interface-out", "default-in", "default-out", "exception-super", "sealed", "class-out", "class-in", "kind" -> hierarchy(op);
      case "static-init-in", "static-init-out", "init-swap", "init-in", "init-throws" -> initializer(op);
      case "access", "final-method", "final-class", "abstract-class", "synchronized", "static-toggle", "annotation", "package-private-class" -> flags(op);
      default -> special(op);
    };
  }

  private String body(String op) {
    boolean testToo = random.nextInt(12) == 0;
    Unit u = unit(k -> testToo || !k.test);
    Member m = bodied(u);
    if (m == null || m.kind.equals("field")) return null;
    int i = random.nextInt(m.body.size());
    String s = m.body.get(i);
    switch (op) {
      case "constant":
        s = replace(s, Pattern.compile("(?<![\\w.\"])\\d(?![\\w\"])"), number());
        break;
      case "switch-label":
        s = s.contains("\"a1\"") ? s.replace("\"a1\"", "\"a3\"") : s.contains("case A:") && s.contains("case B:") ? s.replace("case B:", "case C:") : null;
        break;
      case "catch-type": {
        Unit x = unit(k -> k.exception);
        s = replace(s, Pattern.compile("(?<=catch \\()[pq]\\.X\\d"), x.fqn());
        break;
      }
      case "catch-order":
        s = s.contains("throw new ") ? s.replaceFirst("throw new [pq]\\.X\\d\\((\\d)\\)", "throw new " + unit(k -> k.exception).fqn() + "($1)") : null;
        break;
      case "condition":
        s = s.contains(" > ") ? s.replaceFirst(" > ", random.nextBoolean() ? " < " : " >= ") : null;
        break;
      case "statement-out":
        if (s.startsWith("return") || s.startsWith("super(")) return null;
        m.body.remove(i);
        return u.name + "." + m.name;
      case "statement-in":
      case "lambda-in":
      case "anonymous-in": {
        if (m.kind.equals("raw")) return null;
        int at = s.startsWith("super(") ? i + 1 : i;
        if (at > 0 && m.body.get(at - 1).startsWith("return")) return null;
        String e = op.equals("lambda-in") ? "((java.util.function.IntSupplier) () -> " + number() + ").getAsInt()"
            : op.equals("anonymous-in") ? "new Object() { int z() { return " + number() + "; } }.z()" : number();
        m.body.add(at, "rejig.ev.Ev.log(\"new\", " + e + ");");
        return u.name + "." + m.name;
      }
      default:
        throw new IllegalStateException(op);
    }
    if (s == null || s.equals(m.body.get(i))) return null;
    m.body.set(i, s);
    return u.name + "." + m.name;
  }

  private String replace(String s, Pattern p, String by) {
    List<int[]> hits = new ArrayList<>();
    for (Matcher m = p.matcher(s); m.find();) hits.add(new int[] {m.start(), m.end()});
    int[] h = pick(hits);
    return h == null ? null : s.substring(0, h[0]) + by + s.substring(h[1]);
  }

  private Member fresh(Unit u, String name, boolean isStatic) {
    Member m = Gen.method(name, u.kind == Kind.INTERFACE && !isStatic, new ArrayList<>());
    if (u.kind != Kind.INTERFACE) m.mods.add("public");
    if (isStatic) m.mods.add("static");
    text.fill(u, m);
    return m;
  }

  private String method(String op) {
    Unit u = unit(Mutate::plain);
    if (u == null) return null;
    switch (op) {
      case "override-in": {
        List<String> names = new ArrayList<>(List.of("m0", "m1", "m2", "m3", "d0", "d1"));
        names.removeIf(n -> u.has("method", n) || model.supertypes(u).stream().noneMatch(s -> s.has("method", n)));
        String n = pick(names);
        if (n == null) return null;
        u.members.add(fresh(u, n, false));
        return u.name + "." + n;
      }
      case "hide-static": {
        String n = pick(List.of(Gen.STATICS));
        if (u.has("method", n)) return null;
        u.members.add(fresh(u, n, true));
        return u.name + "." + n;
      }
      case "method-out": {
        Member m = member(u, random, k -> k.kind.equals("method"));
        return m == null || !u.members.remove(m) ? null : u.name + "." + m.name;
      }
      case "method-rename": {
        Member m = member(u, random, k -> k.kind.equals("method") && k.name.matches("[ms]\\d"));
        if (m == null) return null;
        String to = m.name.charAt(0) + "" + random.nextInt(4);
        if (u.has("method", to)) return null;
        String was = m.name;
        m.name = to;
        return u.name + "." + was + " -> " + to;
      }
      case "overload": {
        Member m = member(u, random, k -> k.kind.equals("method") && k.name.matches("[ms]\\d"));
        if (m == null || u.members.stream().filter(k -> k.name.equals(m.name)).count() > 1) return null;
        Member o = m.copy();
        o.params = random.nextBoolean() ? "long x" : "Integer x";
        o.body = new ArrayList<>(List.of("return rejig.ev.Ev.log(\"" + u.name + ".over\", " + number() + ");"));
        if (random.nextInt(3) == 0) m.params = "long x";
        else u.members.add(o);
        return u.name + "." + m.name;
      }
      case "pull-up": {
        Unit s = model.unit(u.ext);
        Member m = member(u, random, k -> k.kind.equals("method") && k.name.matches("[ms]\\d") || k.kind.equals("field"));
        if (s == null || m == null || s.has(m.kind, m.name)) return null;
        u.members.remove(m);
        s.members.add(m.copy());
        return u.name + "." + m.name + " to " + s.name;
      }
      case "push-down": {
        Unit s = model.unit(u.ext);
        Member m = member(s, random, k -> k.kind.equals("method") && k.name.matches("[ms]\\d") || k.kind.equals("field"));
        if (m == null || u.has(m.kind, m.name)) return null;
        s.members.remove(m);
        u.members.add(m.copy());
        return s.name + "." + m.name + " to " + u.name;
      }
      case "private-in": {
        Member m = Gen.method("z" + random.nextInt(100), false, new ArrayList<>(List.of("return " + number() + ";")));
        m.mods.add(random.nextBoolean() ? "private" : "public");
        u.members.add(random.nextInt(u.members.size() + 1), m);
        return u.name + "." + m.name;
      }
      case "object-method-in": {
        Member m = switch (random.nextInt(3)) {
          case 0 -> text.toStringMethod(u);
          case 1 -> text.equalsMethod(u);
          default -> text.hashCodeMethod(u);
        };
        if (u.has("method", m.name)) return null;
        u.members.add(m);
        return u.name + "." + m.name;
      }
      case "object-method-out": {
        Member m = member(u, random, k -> List.of("toString", "equals", "hashCode").contains(k.name));
        return m == null || !u.members.remove(m) ? null : u.name + "." + m.name;
      }
      case "covariant": {
        Member m = u.find("method", "c0");
        if (m == null) return null;
        m.type = m.type.equals("Object") ? "String" : "Object";
        return u.name + ".c0";
      }
      default: {
        Unit i = unit(k -> k.kind == Kind.INTERFACE && k.name.startsWith("I"));
        String n = pick(List.of("is0", "ip", "m0", "m1"));
        if (i.has("method", n)) return null;
        Member m = fresh(i, n, n.equals("is0"));
        if (n.equals("ip")) {
          m.mods.clear();
          m.mods.add("private");
        }
        i.members.add(m);
        return i.name + "." + n;
      }
    }
  }

  /** Mostly one that leaves a trace, as those of the program do. */
  private List<String> initial(Unit u, Member f) {
    return new ArrayList<>(List.of(random.nextInt(12) == 0 ? number() : Gen.logged(u, f.name, random)));
  }

  private String field(String op) {
    if (op.equals("interface-field")) {
      Unit i = unit(k -> k.kind == Kind.INTERFACE && k.name.startsWith("I"));
      Member f = new Member("field");
      f.name = pick(List.of("IF", "IK", "g0", "K0"));
      if (i.has("field", f.name)) return null;
      f.body = new ArrayList<>(List.of(random.nextBoolean() ? number() : Gen.logged(i, f.name, random)));
      i.members.add(f);
      return i.name + "." + f.name;
    }
    Unit u = unit(Mutate::plain);
    if (u == null) return null;
    if (op.equals("field-hide")) {
      boolean isStatic = random.nextBoolean();
      Member f = new Member("field");
      f.mods.add("public");
      if (isStatic) f.mods.add("static");
      f.name = pick(List.of(isStatic ? Gen.STATIC_FIELDS : Gen.FIELDS));
      if (u.has("field", f.name)) return null;
      f.body = initial(u, f);
      u.members.add(0, f);
      return u.name + "." + f.name;
    }
    Member f = member(u, random, m -> m.kind.equals("field"));
    if (f == null) return null;
    switch (op) {
      case "field-out" -> u.members.remove(f);
      case "field-value" -> f.body = initial(u, f);
      case "field-static" -> {
        if (!f.mods.remove("static")) f.mods.add("static");
      }
      case "field-type" -> {
        f.type = f.type.equals("int") ? (random.nextBoolean() ? "long" : "Integer") : "int";
        f.body.replaceAll(b -> b.replaceFirst("^(rejig.ev.Ev.log\\(\"[^\"]*\", )(\\(Integer\\) )?(\\d+)L?\\)$", f.type.equals("long") ? "$1$3L)" : f.type.equals("int") ? "$1$3)" : "$1(Integer) $3)"));
      }
      case "field-order" -> {
        u.members.remove(f);
        u.members.add(random.nextInt(u.members.size() + 1), f);
      }
      default -> {
        if (!f.mods.remove("final")) f.mods.add("final");
      }
    }
    return u.name + "." + f.name;
  }

  private String hierarchy(String op) {
    Unit u = unit(op.equals("exception-super") ? k -> k.exception : Mutate::plain);
    if (u == null) return null;
    Unit i = unit(k -> k.kind == Kind.INTERFACE && k.name.startsWith("I"));
    switch (op) {
      case "superclass": {
        Unit s = unit(k -> plain(k) && !model.supers(k).contains(u) && !k.mods.contains("final"));
        String to = s == null || random.nextInt(4) == 0 ? "" : s.fqn();
        if (to.equals(u.ext)) return null;
        u.ext = to;
        for (Member m : u.members) {
          if (!m.kind.equals("ctor")) continue;
          m.body.removeIf(b -> b.startsWith("super("));
          if (!to.isEmpty()) m.body.add(0, "super(x);");
        }
        return u.name + " extends " + to;
      }
      case "class-between": {
        Unit b = new Unit();
        b.pkg = u.pkg;
        b.name = "B" + random.nextInt(1000);
        b.mods.add("public");
        b.ext = u.ext;
        if (random.nextBoolean()) b.impls.add(i.fqn());
        Member c = new Member("ctor");
        c.mods.add("public");
        c.name = b.name;
        c.params = "int x";
        c.body = new ArrayList<>();
        if (!b.ext.isEmpty()) c.body.add("super(x);");
        c.body.add("rejig.ev.Ev.log(\"" + b.name + ".new\", x);");
        b.members.add(c);
        model.units.add(b);
        String n = pick(List.of(Gen.METHODS));
        if (random.nextBoolean()) b.members.add(fresh(b, n, false));
        if (u.ext.isEmpty()) for (Member m : u.members) if (m.kind.equals("ctor")) m.body.add(0, "super(x);");
        u.ext = b.fqn();
        return u.name + " extends " + b.name;
      }
      case "exception-super": {
        Unit s = unit(k -> k.exception && !model.supers(k).contains(u));
        String to = s == null || random.nextBoolean() ? "RuntimeException" : s.fqn();
        if (u.ext.equals(to)) return null;
        u.ext = to;
        for (Member m : u.members) if (m.kind.equals("ctor")) m.body.removeIf(b -> b.startsWith("super("));
        for (Member m : u.members) if (m.kind.equals("ctor") && to.contains(".")) m.body.add(0, "super(x);");
        return u.name + " extends " + to;
      }
      case "interface-in":
        if (model.supertypes(u).contains(i)) return null;
        u.impls.add(i.fqn());
        return u.name + " implements " + i.name;
      case "interface-out": {
        String s = pick(u.impls);
        return s == null || !u.impls.remove(s) ? null : u.name + " implements " + s;
      }
      case "default-in": {
        String n = pick(List.of("d0", "d1", "m0", "m1", "m2"));
        if (i.has("method", n)) return null;
        i.members.add(fresh(i, n, false));
        return i.name + "." + n;
      }
      case "default-out": {
        Member m = member(i, random, k -> k.mods.contains("default"));
        return m == null || !i.members.remove(m) ? null : i.name + "." + m.name;
      }
      case "sealed": {
        Unit z = model.unit("p.Z0");
        if (z == null) return null;
        String out = pick(z.permits);
        if (out == null || z.permits.size() < 2) return null;
        if (random.nextBoolean()) {
          z.permits.remove(out);
          if (model.unit(out) != null && random.nextBoolean()) model.unit(out).impls.remove("p.Z0");
        } else {
          z.permits.clear();
          z.mods.remove("sealed");
        }
        return "Z0 without " + out;
      }
      case "class-out": {
        Unit k = unit(x -> !x.test);
        model.units.remove(k);
        return k.name;
      }
      case "class-in": {
        if (model.unit("p.New") != null) return null;
        Unit k = new Unit();
        k.name = "New";
        k.mods.add("public");
        model.units.add(k);
        return "p.New";
      }
      default: {
        Unit k = random.nextBoolean() ? i : u;
        if (k.kind == Kind.INTERFACE) {
          k.kind = Kind.CLASS;
          if (!k.impls.isEmpty()) return null;
          for (Member m : k.members) m.mods.remove("default");
          k.mods.add("abstract");
        } else {
          k.kind = Kind.INTERFACE;
          k.members.removeIf(m -> m.kind.equals("ctor") || m.kind.equals("static") || m.kind.equals("init"));
          k.ext = "";
          for (Member m : k.members) {
            if (m.kind.equals("method") && !m.isStatic() && !m.mods.contains("private")) m.mods.add("default");
            m.mods.remove("protected");
            m.mods.remove("synchronized");
          }
        }
        return k.name;
      }
    }
  }

  private String initializer(String op) {
    Unit u = unit(Mutate::plain);
    if (u == null) return null;
    switch (op) {
      case "static-init-in":
      case "init-in": {
        Member m = new Member(op.equals("init-in") ? "init" : "static");
        m.body = new ArrayList<>(List.of("rejig.ev.Ev.log(\"" + u.name + "." + m.kind + "\", " + number() + ");"));
        u.members.add(random.nextInt(u.members.size() + 1), m);
        return u.name;
      }
      case "static-init-out": {
        Member m = member(u, random, k -> k.kind.equals("static") || k.kind.equals("init"));
        return m == null || !u.members.remove(m) ? null : u.name;
      }
      case "init-swap":
        Collections.shuffle(u.members, random);
        return u.name;
      default: {
        Member m = member(u, random, k -> k.kind.equals("static"));
        if (m == null) return null;
        m.body.add("if (" + text.expression(u, false, "1") + " >= 0) throw new IllegalStateException(\"init\");");
        return u.name;
      }
    }
  }

  private String flags(String op) {
    Unit u = unit(op.equals("annotation") ? k -> !k.test : Mutate::plain);
    if (u == null) return null;
    switch (op) {
      case "final-class" -> toggle(u.mods, "final");
      case "abstract-class" -> toggle(u.mods, "abstract");
      case "package-private-class" -> toggle(u.mods, "public");
      case "annotation" -> {
        if (u.annotations.isEmpty()) u.annotations.add("@Deprecated");
        else u.annotations.clear();
      }
      default -> {
        Member m = member(u, random, k -> op.equals("access") ? k.kind.equals("field") || k.kind.equals("method") || k.kind.equals("ctor") : k.kind.equals("method"));
        if (m == null) return null;
        switch (op) {
          case "final-method" -> toggle(m.mods, "final");
          case "synchronized" -> toggle(m.mods, "synchronized");
          case "static-toggle" -> toggle(m.mods, "static");
          default -> {
            m.mods.removeAll(List.of("public", "protected", "private"));
            String a = pick(List.of("public", "protected", "private", ""));
            if (!a.isEmpty()) m.mods.add(a);
          }
        }
        return u.name + "." + m.name + " " + m.mods;
      }
    }
    return u.name;
  }

  private static void toggle(java.util.Set<String> mods, String mod) {
    if (!mods.remove(mod)) mods.add(mod);
  }

  private String special(String op) {
    Unit e = unit(k -> k.kind == Kind.ENUM);
    Unit r = unit(k -> k.kind == Kind.RECORD);
    switch (op) {
      case "enum-add" -> e = added(e, random.nextInt(4));
      case "enum-order" -> {
        if (e != null) Collections.shuffle(e.header, random);
      }
      case "enum-out" -> {
        if (e == null || e.header.size() < 2) return null;
        e.header.remove(random.nextInt(e.header.size()));
      }
      case "enum-body" -> {
        if (e == null) return null;
        int i = random.nextInt(e.header.size());
        String h = e.header.get(i);
        e.header.set(i, h.contains("{") ? h.substring(0, 1) : h + " { public int em(int x) { return " + number() + "; } }");
      }
      case "record-order" -> {
        if (r != null) Collections.swap(r.header, 0, 1);
      }
      case "record-add" -> {
        if (r == null) return null;
        r.header.add("int c" + r.header.size());
        Member c = new Member("ctor");
        c.mods.add("public");
        c.name = r.name;
        c.params = "int a, int b";
        c.body = new ArrayList<>(List.of("this(a, b, " + number() + ");", "rejig.ev.Ev.log(\"" + r.name + ".two\", 2);"));
        r.members.add(c);
      }
      case "serial-member" -> {
        Unit s = unit(k -> k.serial || k.impls.contains("java.io.Serializable"));
        if (s == null) return null;
        Member m = new Member("raw");
        m.name = "serial";
        m.body = new ArrayList<>(List.of(switch (random.nextInt(4)) {
          case 0 -> "private static final long serialVersionUID = " + number() + "L;";
          case 1 -> "private Object readResolve() { rejig.ev.Ev.log(\"resolve\", " + number() + "); return this; }";
          case 2 -> "private void writeObject(java.io.ObjectOutputStream o) throws java.io.IOException { rejig.ev.Ev.log(\"write\", 1); o.defaultWriteObject(); }";
          default -> "public transient int tr = " + Gen.logged(s, "tr", random) + ";";
        }));
        s.members.add(m);
        return s.name;
      }
      default -> throw new IllegalStateException(op);
    }
    return "";
  }

  private Unit added(Unit e, int at) {
    if (e != null) e.header.add(Math.min(at, e.header.size()), "D" + random.nextInt(1000));
    return e;
  }
}
