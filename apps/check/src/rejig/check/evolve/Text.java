// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import rejig.check.evolve.Model.Kind;
import rejig.check.evolve.Model.Member;
import rejig.check.evolve.Model.Unit;

/** Invents expressions of type int and statements around them, using only what the program declares so far. */
final class Text {
  private static final List<String> RANKS = List.of("em", "s0", "k0", "is0", "m0", "s1", "k1", "d0", "m1", "r0", "s2", "ip", "d1", "m2", "s3", "m3");

  private static final java.util.regex.Pattern MADE = java.util.regex.Pattern.compile("new ([pq]\\.[A-Z]\\w*)\\(");

  private final Random random;
  private final Model model;
  private final Rich rich;
  private int counter;

  /** Where text is being written: what may be named, and how deep it may nest. */
  static final class Context {
    Unit unit;
    boolean instance;
    String parameter = "1";
    int rank = 100;
    boolean reflective;
    boolean test;

    Context in(String variable) {
      Context c = new Context();
      c.unit = unit;
      c.instance = instance;
      c.parameter = variable;
      c.rank = rank;
      c.reflective = reflective;
      c.test = test;
      return c;
    }
  }

  Text(Random random, Model model) {
    this.random = random;
    this.model = model;
    this.rich = model.feature == 0 ? null : new Rich(random, model, this);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T pick(List<T> l) {
    return l.isEmpty() ? null : l.get(random.nextInt(l.size()));
  }

  List<Unit> where(java.util.function.Predicate<Unit> p) {
    List<Unit> out = new ArrayList<>();
    for (Unit u : model.units) if (p.test(u)) out.add(u);
    return out;
  }

  Unit concrete() {
    return pick(where(u -> u.kind == Kind.CLASS && !u.test && !u.exception && !u.mods.contains("abstract")));
  }

  static int rank(String name) {
    int r = RANKS.indexOf(name);
    return r < 0 ? 50 : r;
  }

  String make(Unit u, String argument) {
    return u.kind == Kind.RECORD ? "new " + u.fqn() + "(" + argument + ", 2)" : "new " + u.fqn() + "(" + argument + ")";
  }

  String make(Unit u) {
    return make(u, "" + random.nextInt(5));
  }

  String expression(Unit u, boolean instance, String parameter) {
    Context c = new Context();
    c.unit = u;
    c.instance = instance;
    c.parameter = parameter;
    return expr(c, 2);
  }

  String expr(Context c, int depth) {
    if (depth <= 0 || chance(15)) return chance(50) ? "" + random.nextInt(10) : c.parameter;
    for (int attempt = 0; attempt < 12; attempt++) {
      String s = compound(c, depth);
      if (s != null) return s;
    }
    return c.parameter;
  }

  private String compound(Context c, int depth) {
    int d = depth - 1;
    if (rich != null && chance(30)) return rich.expression(c, d);
    switch (random.nextInt(27)) {
      case 0:
        return "(" + expr(c, d) + " + " + expr(c, d) + ")";
      case 1:
        return "(" + expr(c, d) + " > " + expr(c, d) + " ? " + expr(c, d) + " : " + expr(c, d) + ")";
      case 2:
      case 3:
        return staticField();
      case 4:
      case 5:
        return staticCall(c, d);
      case 6:
      case 7:
      case 8:
        return virtualCall(c, d);
      case 9:
        return interfaceCall(c, d);
      case 10:
        return ownCall(c, d);
      case 11:
        return superCall(c, d);
      case 12:
        return ownField(c);
      case 13:
        return lambda(c, d);
      case 14:
        return functional(c, d);
      case 15: {
        Unit x = concrete();
        Unit t = pick(where(u -> !u.test && u.typeParams.isEmpty()));
        return "(((Object) " + make(x) + ") instanceof " + t.fqn() + " ? 1 : 2)";
      }
      case 16:
        return "(\"k" + random.nextInt(3) + "\" + " + expr(c, d) + ").length()";
      case 17:
        return enumUse(c, d);
      case 18:
        return recordUse(c, d);
      case 19: {
        Unit u = pick(where(k -> k.has("raw", "N")));
        return u == null ? null : "new " + u.fqn() + ".N(" + expr(c, d) + ").nm(" + expr(c, d) + ")";
      }
      case 20: {
        Unit u = concrete();
        if (u.mods.contains("final")) return null;
        String y = "y" + counter++;
        return "new " + u.fqn() + "(1) { public int m0(int " + y + ") { return " + expr(static_(c, y), d) + "; } }.m0(" + expr(c, d) + ")";
      }
      case 21: {
        Unit u = concrete();
        return "((\"\" + " + make(u) + ").startsWith(\"" + u.fqn() + "@\") ? 1 : 2)";
      }
      case 22: {
        Unit u = concrete();
        return chance(50) ? "(java.util.List.of(" + make(u, "1") + ").contains(" + make(u, "1") + ") ? 1 : 2)"
            : "new java.util.HashSet<Object>(java.util.List.of(" + make(u, "1") + ", " + make(u, "2") + ")).size()";
      }
      case 23: {
        Unit g = pick(where(u -> u.name.equals("H0") || u.name.equals("H1")));
        Unit i = pick(where(u -> u.name.equals("G0")));
        return g == null ? null : "((" + i.fqn() + "<String>) " + make(g) + ").ga(\"a" + random.nextInt(3) + "\")";
      }
      case 24: {
        Unit u = pick(where(k -> k.kind == Kind.CLASS && !k.test && !k.exception && model.understands(k, "method", "c0", false)));
        return u == null ? null : "(" + make(u) + ".c0().equals(\"c" + random.nextInt(3) + "\") ? 1 : 2)";
      }
      case 25: {
        Unit z = pick(where(k -> k.name.equals("Z1") || k.name.equals("Z2")));
        return z == null ? null : "((p.Z0) " + make(z) + ").zm(" + expr(c, d) + ")";
      }
      default:
        return c.reflective ? reflection() : null;
    }
  }

  Context static_(Context c, String variable) {
    Context k = c.in(variable);
    k.instance = false;
    return k;
  }

  private String staticField() {
    Unit u = pick(where(k -> !k.test && (k.kind == Kind.CLASS || k.kind == Kind.INTERFACE)));
    List<String> names = new ArrayList<>();
    for (String n : List.of("g0", "g1", "K0", "IF", "IK")) {
      long owners = model.supertypes(u).stream().filter(s -> s.has("field", n)).count();
      if (owners == 1 && model.understands(u, "field", n, true)) names.add(n);
    }
    String n = pick(names);
    return n == null ? null : u.fqn() + "." + n;
  }

  private String staticCall(Context c, int d) {
    Unit u = pick(where(k -> !k.test && k.kind == Kind.CLASS || k.kind == Kind.INTERFACE && k.has("method", "is0")));
    List<String> names = new ArrayList<>();
    for (String n : List.of("s0", "s1", "s2", "s3", "is0")) {
      if (rank(n) < c.rank && (n.equals("is0") ? u.kind == Kind.INTERFACE : model.understands(u, "method", n, true))) names.add(n);
    }
    String n = pick(names);
    return n == null ? null : u.fqn() + "." + n + "(" + expr(c, d) + ")";
  }

  List<String> callable(Unit u, Context c) {
    List<String> names = new ArrayList<>();
    for (String n : List.of("m0", "m1", "m2", "m3", "d0", "d1")) if (rank(n) < c.rank && model.understands(u, "method", n, false)) names.add(n);
    return names;
  }

  private String virtualCall(Context c, int d) {
    Unit u = concrete();
    Unit view = pick(model.supers(u));
    String n = pick(callable(view, c));
    if (n == null) return null;
    return (view == u ? make(u) : "((" + view.fqn() + ") " + make(u) + ")") + "." + n + "(" + expr(c, d) + ")";
  }

  private String interfaceCall(Context c, int d) {
    Unit u = concrete();
    List<Unit> views = new ArrayList<>(model.supertypes(u));
    views.removeIf(k -> k.kind != Kind.INTERFACE || callable(k, c).isEmpty());
    Unit view = pick(views);
    return view == null ? null : "((" + view.fqn() + ") " + make(u) + ")." + pick(callable(view, c)) + "(" + expr(c, d) + ")";
  }

  private String ownCall(Context c, int d) {
    List<String> names = new ArrayList<>();
    if (c.test || c.unit.kind == Kind.ENUM) return null;
    for (String n : List.of("r0", "ip")) if (rank(n) < c.rank && c.instance && c.unit.has("method", n)) names.add(n);
    if (c.instance) names.addAll(callable(c.unit, c));
    if (c.instance && rank("k0") < c.rank && model.supers(c.unit).stream().anyMatch(u -> u.has("method", "k0"))) names.add("k0");
    if (c.instance && rank("k1") < c.rank && c.unit.has("method", "k1")) names.add("k1");
    String n = pick(names);
    return n == null ? null : n + "(" + expr(c, d) + ")";
  }

  private String superCall(Context c, int d) {
    Unit s = c.test || !c.instance || c.unit.kind != Kind.CLASS ? null : model.unit(c.unit.ext);
    if (s == null) return null;
    List<String> names = callable(s, c);
    if (rank("k0") < c.rank && model.supers(s).stream().anyMatch(u -> u.has("method", "k0"))) names.add("k0");
    String n = pick(names);
    return n == null ? null : "super." + n + "(" + expr(c, d) + ")";
  }

  private String ownField(Context c) {
    List<String> names = new ArrayList<>();
    if (!c.test && c.instance && c.unit.kind == Kind.CLASS) for (String n : Gen.FIELDS) if (model.understands(c.unit, "field", n, false)) names.add(n);
    if (!names.isEmpty()) return "this." + pick(names);
    Unit u = concrete();
    for (String n : Gen.FIELDS) if (model.understands(u, "field", n, false)) names.add(n);
    String n = pick(names);
    if (n == null) return null;
    List<Unit> views = new ArrayList<>(model.supers(u));
    views.removeIf(k -> !model.understands(k, "field", n, false));
    return "((" + pick(views).fqn() + ") " + make(u) + ")." + n;
  }

  private String lambda(Context c, int d) {
    String y = "y" + counter++;
    return "((java.util.function.IntUnaryOperator) " + y + " -> " + expr(static_(c, y), d) + ").applyAsInt(" + expr(c, d) + ")";
  }

  private String functional(Context c, int d) {
    Unit f = pick(where(u -> u.name.equals("F0")));
    if (f == null || c.unit == f) return null;
    String y = "y" + counter++;
    String target;
    Unit u = concrete();
    switch (random.nextInt(4)) {
      case 0 -> {
        List<String> names = new ArrayList<>();
        for (String n : Gen.STATICS) if (rank(n) < c.rank && model.understands(u, "method", n, true)) names.add(n);
        target = names.isEmpty() ? null : u.fqn() + "::" + pick(names);
      }
      case 1 -> {
        String n = pick(callable(u, c));
        target = n == null ? null : make(u) + "::" + n;
      }
      case 2 -> {
        String z = "y" + counter++;
        target = y + " -> ((java.util.function.IntUnaryOperator) " + z + " -> " + expr(static_(c, z), d) + ").applyAsInt(" + y + ")";
      }
      default -> target = y + " -> " + expr(static_(c, y), d);
    }
    if (target == null) return null;
    boolean viaDefault = f.has("method", "dd") && chance(50);
    return "((" + f.fqn() + ") " + target + ")." + (viaDefault ? "dd" : "ap") + "(" + expr(c, d) + ")";
  }

  private String enumUse(Context c, int d) {
    Unit e = pick(where(u -> u.kind == Kind.ENUM));
    if (e == null || c.unit == e) return null;
    String k = List.of("A", "B", "C").get(random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> e.fqn() + "." + k + ".em(" + expr(c, d) + ")";
      case 1 -> e.fqn() + ".valueOf(\"" + k + "\").ordinal()";
      case 2 -> e.fqn() + ".values().length";
      default -> e.fqn() + "." + k + ".ordinal()";
    };
  }

  private String recordUse(Context c, int d) {
    Unit r = pick(where(u -> u.kind == Kind.RECORD));
    if (r == null || c.unit == r) return null;
    String x = make(r, expr(c, d));
    return switch (random.nextInt(4)) {
      case 0 -> x + ".a()";
      case 1 -> "(" + x + ".toString().contains(\"a=1, b=2\") ? 1 : 2)";
      case 2 -> x + ".hashCode()";
      default -> "(" + x + ".equals(" + make(r, "1") + ") ? 1 : 2)";
    };
  }

  private String reflection() {
    Unit u = pick(where(k -> !k.test));
    return switch (random.nextInt(6)) {
      case 0 -> u.fqn() + ".class.getDeclaredMethods().length";
      case 1 -> u.fqn() + ".class.getDeclaredFields().length";
      case 2 -> u.fqn() + ".class.getInterfaces().length";
      case 3 -> "(java.lang.reflect.Modifier.isFinal(" + u.fqn() + ".class.getModifiers()) ? 1 : 2)";
      case 4 -> u.fqn() + ".class.getAnnotations().length";
      default -> u.kind == Kind.CLASS ? "((" + u.fqn() + ") rejig.ev.Ev.make(" + u.fqn() + ".class, 1)).hashCode() * 0" : null;
    };
  }

  Member toStringMethod(Unit u) {
    Member m = new Member("method");
    m.mods.add("public");
    m.type = "String";
    m.name = "toString";
    m.body = new ArrayList<>(List.of("rejig.ev.Ev.log(\"" + u.name + ".toString\", 0);", "return \"" + u.name + random.nextInt(3) + "\";"));
    return m;
  }

  Member equalsMethod(Unit u) {
    Member m = new Member("method");
    m.mods.add("public");
    m.type = "boolean";
    m.name = "equals";
    m.params = "Object o";
    m.body = new ArrayList<>(List.of("rejig.ev.Ev.log(\"" + u.name + ".equals\", 0);", "return o instanceof " + u.fqn() + ";"));
    return m;
  }

  Member hashCodeMethod(Unit u) {
    Member m = new Member("method");
    m.mods.add("public");
    m.name = "hashCode";
    m.body = new ArrayList<>(List.of("return rejig.ev.Ev.log(\"" + u.name + ".hashCode\", " + random.nextInt(3) + ");"));
    return m;
  }

  /** {@code Object c0()}, in subclasses sometimes {@code String c0()} with its bridge. */
  Member covariant(Unit u) {
    Member m = new Member("method");
    m.mods.add("public");
    boolean above = model.supers(u).stream().skip(1).anyMatch(s -> s.has("method", "c0"));
    boolean narrowed = model.supers(u).stream().skip(1).anyMatch(s -> s.has("method", "c0") && s.find("method", "c0").type.equals("String"));
    m.type = narrowed || above && chance(50) ? "String" : "Object";
    m.name = "c0";
    m.body = new ArrayList<>(List.of("rejig.ev.Ev.log(\"" + u.name + ".c0\", 0);", "return \"c" + random.nextInt(3) + "\";"));
    return m;
  }

  Member nested(Unit u) {
    Member m = new Member("raw");
    m.name = "N";
    m.body = new ArrayList<>();
    m.body.add("public static class N {");
    m.body.add("private int w;");
    m.body.add("public N(int x) { this.w = x + " + random.nextInt(5) + "; }");
    m.body.add("public int nm(int x) { rejig.ev.Ev.log(\"" + u.name + ".N.nm\", x); return w + " + (u.has("method", "r0") ? "new " + u.fqn() + "(1).r0(x)" : "x") + "; }");
    m.body.add("}");
    return m;
  }

  /** Members of the richer programs. */
  void more(Unit u) {
    if (rich == null) return;
    if (chance(30)) u.members.add(rich.inner(u));
    if (chance(20)) u.members.add(rich.nestedEnum(u));
  }

  void fill(Unit u, Member m) {
    Context c = new Context();
    c.unit = u;
    c.instance = !m.isStatic() && !m.kind.equals("static");
    c.rank = m.kind.equals("method") ? rank(m.name) : 4;
    if (m.name.equals("dd") || m.name.equals("zm") || m.name.equals("ga") || m.name.equals("em")) c.rank = 8;
    boolean hasParameter = m.kind.equals("method") || m.kind.equals("ctor");
    c.parameter = m.name.equals("ga") ? "t.length()" : hasParameter ? "x" : "1";
    if (m.kind.equals("ctor")) {
      Unit s = model.unit(u.ext);
      if (s != null) m.body.add("super(" + (chance(70) ? "x" : "" + random.nextInt(9)) + ");");
      m.body.add("rejig.ev.Ev.log(\"" + u.name + ".new\", x);");
      if (u.has("field", "f0") && !u.find("field", "f0").mods.contains("final") && chance(50)) m.body.add("this.f0 = x + " + random.nextInt(5) + ";");
      if (chance(15)) m.body.add(statement(c, 1));
      return;
    }
    if (u.name.equals("F0") && m.name.equals("dd")) {
      m.body.add("return ap(x) + " + random.nextInt(9) + ";");
      return;
    }
    if (hasParameter) m.body.add("rejig.ev.Ev.log(\"" + u.name + "." + m.name + "\", " + c.parameter + ");");
    else m.body.add("rejig.ev.Ev.log(\"" + u.name + ".<" + m.kind + ">\", " + random.nextInt(9) + ");");
    if (chance(25)) m.body.add(statement(c, 1));
    if (m.kind.equals("static")) {
      for (String g : Gen.STATIC_FIELDS) if (u.has("field", g) && chance(30)) m.body.add(g + " = " + random.nextInt(9) + ";");
      if (chance(8)) m.body.add("if (" + expr(c, 1) + " > 1) throw new IllegalStateException();");
    }
    if (hasParameter) m.body.add("return " + expr(c, chance(25) ? 2 : 1) + ";");
  }

  void fillTest(Unit u, Member m, boolean reflective) {
    Context c = new Context();
    c.unit = u;
    c.test = true;
    c.reflective = reflective;
    int n = chance(75) ? 1 : 2;
    for (int i = 0; i < n; i++) {
      String s = statement(c, chance(60) ? 1 : 2);
      s += seenAgain(s);
      m.body.add(chance(60) ? "try {\n" + s + "\n} catch (Throwable e" + counter + ") {\nrejig.ev.Ev.err(e" + counter++ + ");\n}" : s);
    }
  }

  /** Mostly an object is looked at as an assertion would, by the methods of Object. */
  private String seen(String variable) {
    return chance(90) ? "rejig.ev.Ev.seen(" + variable + ");\n" : "";
  }

  /** Of the first class that a statement makes something of, often. */
  private String seenAgain(String statement) {
    java.util.regex.Matcher made = MADE.matcher(statement);
    Unit u = made.find() ? model.unit(made.group(1)) : null;
    return u == null || u.mods.contains("abstract") || chance(30) ? "" : "\nrejig.ev.Ev.seen(" + make(u) + ");";
  }

  private String statement(Context c, int depth) {
    int d = depth;
    String tag = "\"" + c.unit.name + "#" + counter++ + "\"";
    if (rich != null && chance(35)) {
      String s = rich.statement(c, d, tag);
      if (s != null) return s;
    }
    switch (random.nextInt(13)) {
      case 0: {
        Unit a = concrete();
        Unit b = concrete();
        String v = "a" + counter++;
        return "try {\nObject[] " + v + " = new " + a.fqn() + "[1];\n" + v + "[0] = " + make(b) + ";\n" + seen(v + "[0]") + "rejig.ev.Ev.log(" + tag + ", 1);\n} catch (ArrayStoreException ex) {\nrejig.ev.Ev.log(" + tag + ", 2);\n}";
      }
      case 1: {
        Unit a = concrete();
        Unit b = pick(where(u -> !u.test && u.typeParams.isEmpty() && u.kind != Kind.ENUM));
        String v = "o" + counter++;
        return "try {\nObject " + v + " = " + make(a) + ";\n" + b.fqn() + " " + v + "c = (" + b.fqn() + ") " + v + ";\n" + seen(v + "c") + "rejig.ev.Ev.log(" + tag + ", 1);\n} catch (ClassCastException ex) {\nrejig.ev.Ev.log(" + tag + ", 2);\n}";
      }
      case 2:
      case 3: {
        Unit a = pick(where(u -> u.exception));
        Unit b = pick(where(u -> u.exception));
        return "try {\nif (" + expr(c, 1) + " > 1) throw " + make(a) + ";\nrejig.ev.Ev.log(" + tag + ", 0);\n} catch (" + b.fqn() + " ex) {\nrejig.ev.Ev.log(" + tag
            + ", 1);\n} catch (RuntimeException ex) {\nrejig.ev.Ev.log(" + tag + ", 2);\n}" + (chance(30) ? " finally {\nrejig.ev.Ev.log(" + tag + ", 3);\n}" : "");
      }
      case 4: {
        String k = chance(50) ? "a" : "b";
        return "switch (\"" + k + "\" + " + expr(c, d - 1) + ") {\ncase \"a1\": rejig.ev.Ev.log(" + tag + ", 1); break;\ncase \"b2\": rejig.ev.Ev.log(" + tag + ", 2); break;\ndefault: rejig.ev.Ev.log(" + tag
            + ", " + random.nextInt(9) + ");\n}";
      }
      case 5: {
        Unit e = pick(where(u -> u.kind == Kind.ENUM));
        if (e == null || c.unit == e) break;
        return "switch (" + e.fqn() + ".values()[java.lang.Math.abs(" + expr(c, d - 1) + ") % 2]) {\ncase A: rejig.ev.Ev.log(" + tag + ", 1); break;\n" + (chance(50) ? "case B: rejig.ev.Ev.log(" + tag
            + ", 2); break;\n" : "") + "default: rejig.ev.Ev.log(" + tag + ", " + random.nextInt(9) + ");\n}";
      }
      case 6: {
        String i = "i" + counter++;
        return "for (int " + i + " = 0; " + i + " < 2; " + i + "++) {\nrejig.ev.Ev.log(" + tag + ", " + expr(c, d - 1) + ");\n}";
      }
      case 7:
        return "if (" + expr(c, d - 1) + " > " + random.nextInt(5) + ") {\nrejig.ev.Ev.log(" + tag + ", " + expr(c, d - 1) + ");\n} else {\nrejig.ev.Ev.log(" + tag + ", " + expr(c, d - 1) + ");\n}";
      case 8: {
        Unit s = pick(where(u -> u.impls.contains("java.io.Serializable") && u.kind == Kind.CLASS));
        if (s == null || !c.test || !chance(40)) break;
        return "rejig.ev.Ev.log(" + tag + ", ((" + s.fqn() + ") rejig.ev.Ev.copy(" + make(s) + "))" + (s.serial ? ".v" : " == null ? 1 : 2") + ");";
      }
      case 9:
        if (!c.test || !chance(40)) break;
        return "rejig.ev.Ev.log(" + tag + ", rejig.ev.Ev.find(\"p.New\", " + c.unit.fqn() + ".class.getClassLoader()));";
      case 10: {
        Unit u = concrete();
        Unit i = pick(where(k -> k.kind == Kind.INTERFACE && k.name.startsWith("I")));
        String v = "v" + counter++;
        return "{\nObject " + v + " = " + make(u) + ";\n" + seen(v) + "if (" + v + " instanceof " + i.fqn() + " " + v + "i) {\nrejig.ev.Ev.log(" + tag + ", " + v + "i.hashCode() * 0);\n}\nrejig.ev.Ev.log(" + tag
            + ", " + v + " instanceof " + i.fqn() + " ? 1 : 0);\n}";
      }
      case 11: {
        Unit u = concrete();
        String n = pick(List.of("g0", "g1"));
        long owners = model.supertypes(u).stream().filter(s -> s.has("field", n)).count();
        if (owners != 1 || !model.understands(u, "field", n, true)) break;
        return u.fqn() + "." + n + " = " + expr(c, d - 1) + ";";
      }
      default:
        break;
    }
    return "rejig.ev.Ev.log(" + tag + ", " + expr(c, d) + ");";
  }
}
