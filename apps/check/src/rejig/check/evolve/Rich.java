// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import rejig.check.evolve.Model.Kind;
import rejig.check.evolve.Model.Member;
import rejig.check.evolve.Model.Unit;

/** More constructs: inner and local classes, records in methods, resources, locks, assertions, handles, switch expressions; with a JDK of 21 or later patterns. */
final class Rich {
  private final Random random;
  private final Model model;
  private final Text text;
  private int counter;

  Rich(Random random, Model model, Text text) {
    this.random = random;
    this.model = model;
    this.text = text;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String fresh(String prefix) {
    return prefix + "r" + counter++;
  }

  /** A class with a member of its own {@code raw} text of that name; null without one. */
  private Unit holder(String name) {
    return text.pick(text.where(u -> u.has("raw", name)));
  }

  private Unit anEnum(Text.Context c) {
    Unit e = text.pick(text.where(u -> u.kind == Kind.ENUM));
    return e == c.unit ? null : e;
  }

  /** An int; null when nothing fits. */
  String expression(Text.Context c, int d) {
    switch (random.nextInt(12)) {
      case 0: {
        Unit u = text.concrete();
        return "(((java.util.function.IntFunction<Object>) " + u.fqn() + "::new).apply(" + text.expr(c, d) + ") instanceof " + text.concrete().fqn() + " ? 1 : 2)";
      }
      case 1: {
        Unit u = holder("In");
        return u == null ? null : text.make(u) + ".new In(" + text.expr(c, d) + ").im(" + text.expr(c, d) + ")";
      }
      case 2: {
        Unit e = anEnum(c);
        if (e == null) return null;
        String last = chance(50) ? "default -> " : "case C -> ";
        return "(switch (" + e.fqn() + ".values()[java.lang.Math.abs(" + text.expr(c, d) + ") % 2]) { case A -> " + text.expr(c, d) + "; case B -> { rejig.ev.Ev.log(\"B\", 1); yield " + random.nextInt(9)
            + "; } " + last + random.nextInt(9) + "; })";
      }
      case 3: {
        Unit u = text.concrete();
        return "(\"<\" + " + text.make(u) + " + '|' + " + text.expr(c, d) + " + null + true).replaceAll(\"@[0-9a-f]+\", \"@\").length()";
      }
      case 4: {
        Unit u = text.concrete();
        return "(((Object) new " + u.fqn() + "[1][]) instanceof " + text.concrete().fqn() + "[][] ? 1 : 2)";
      }
      case 5:
        return "java.util.stream.IntStream.range(0, 2).map(" + lambda(c, d) + ").filter(i -> i > " + random.nextInt(4) + ").sum()";
      case 6:
        return "((java.util.function.IntFunction<int[]>) int[]::new).apply(" + random.nextInt(4) + ").length";
      case 7: {
        Unit u = text.concrete();
        return "java.util.Optional.of(" + text.make(u) + ").map(Object::getClass).map(Class::getSimpleName).get().length()";
      }
      case 8: {
        List<String> names = new ArrayList<>();
        Unit own = c.unit;
        if (c.test || !c.instance || own.kind != Kind.CLASS) return null;
        for (String i : own.impls) {
          Unit u = model.unit(i);
          if (u == null || u.kind != Kind.INTERFACE || inheritedElsewhere(own, u)) continue;
          for (String n : List.of("d0", "d1", "m0", "m1", "m2", "m3")) {
            if (Text.rank(n) < c.rank && u.has("method", n) && u.find("method", n).mods.contains("default")) names.add(u.fqn() + ".super." + n);
          }
        }
        String n = text.pick(names);
        return n == null ? null : n + "(" + text.expr(c, d) + ")";
      }
      case 9:
        return "(int) ((" + text.expr(c, d) + " * 3L << 2) / 5.0 + (char) ('a' + " + text.expr(c, d) + ") % 7)";
      case 10: {
        Unit u = holder("St");
        return u == null ? null : u.fqn() + ".St." + text.pick(List.of("P", "Q")) + ".st(" + text.expr(c, d) + ")";
      }
      default:
        return model.feature >= 21 ? pattern(c, d) : null;
    }
  }

  /** Then `I.super` is no name for it. */
  private boolean inheritedElsewhere(Unit own, Unit itf) {
    Unit above = model.unit(own.ext);
    if (above != null && model.supertypes(above).contains(itf)) return true;
    return own.impls.stream().map(model::unit).anyMatch(u -> u != null && u != itf && model.supertypes(u).contains(itf));
  }

  private String lambda(Text.Context c, int d) {
    String y = fresh("y");
    return y + " -> " + text.expr(text.static_(c, y), d);
  }

  private String pattern(Text.Context c, int d) {
    String subject = "((Object) " + text.make(text.concrete()) + ")";
    switch (random.nextInt(4)) {
      case 0: {
        Unit z = text.pick(text.where(u -> u.name.equals("Z1") || u.name.equals("Z2")));
        if (z == null || model.unit("p.Z0") == null || !model.unit("p.Z0").permits.containsAll(List.of("p.Z1", "p.Z2"))) return null;
        return "(switch ((p.Z0) " + text.make(z) + ") { case p.Z1 z -> z.zm(1); case p.Z2 z -> " + text.expr(c, d) + "; })";
      }
      case 1: {
        Unit r = text.pick(text.where(u -> u.kind == Kind.RECORD));
        if (r == null || r == c.unit) return null;
        String a = fresh("a");
        return "(((Object) " + text.make(r, text.expr(c, d)) + ") instanceof " + r.fqn() + "(int " + a + ", var b" + a + ") ? " + a + " : 2)";
      }
      case 2: {
        Unit x = text.concrete();
        Unit i = text.pick(text.where(k -> k.kind == Kind.INTERFACE && k.name.startsWith("I")));
        String v = fresh("v");
        return "(switch (" + subject + ") { case " + i.fqn() + " " + v + " when java.lang.Math.abs(" + text.expr(c, d) + ") > 1 -> 1; case " + i.fqn() + " " + v + " -> 2; case null -> 3; default -> " + (x == null ? 4 : 5)
            + "; })";
      }
      default: {
        Unit e = anEnum(c);
        return e == null ? null
            : "(switch ((Object) " + e.fqn() + "." + text.pick(List.of("A", "B")) + ") { case " + e.fqn() + " e when e.ordinal() > 0 -> 1; case String s -> 2; default -> " + random.nextInt(9) + "; })";
      }
    }
  }

  /** Null when nothing fits. */
  String statement(Text.Context c, int d, String tag) {
    switch (random.nextInt(9)) {
      case 0: {
        String l = fresh("L");
        String z = fresh("z");
        return "{\nfinal int cap" + z + " = " + text.expr(c, d - 1) + ";\nclass " + l + " { int l(int " + z + ") { return cap" + z + " + " + text.expr(text.static_(c, z), d - 1) + "; } }\nrejig.ev.Ev.log(" + tag
            + ", new " + l + "().l(" + text.expr(c, d - 1) + "));\n}";
      }
      case 1:
        return "try (AutoCloseable " + fresh("c") + " = () -> rejig.ev.Ev.log(" + tag + ", 8)) {\nrejig.ev.Ev.log(" + tag + ", " + text.expr(c, d - 1) + ");\n} catch (Exception " + fresh("e") + ") {\nrejig.ev.Ev.log(" + tag
            + ", 9);\n}";
      case 2:
        return "synchronized (" + text.concrete().fqn() + ".class) {\nrejig.ev.Ev.log(" + tag + ", " + text.expr(c, d - 1) + ");\n}";
      case 3:
        return "try {\nassert " + text.expr(c, d - 1) + " != " + random.nextInt(4) + " : \"a\";\nrejig.ev.Ev.log(" + tag + ", 1);\n} catch (AssertionError ex) {\nrejig.ev.Ev.log(" + tag + ", 2);\n}";
      case 4: {
        Unit u = text.concrete();
        String n = text.pick(text.callable(u, c));
        if (n == null) return null;
        String e = fresh("t");
        return "try {\nrejig.ev.Ev.log(" + tag + ", (int) java.lang.invoke.MethodHandles.lookup().findVirtual(" + u.fqn() + ".class, \"" + n
            + "\", java.lang.invoke.MethodType.methodType(int.class, int.class)).invoke(" + text.make(u) + ", " + text.expr(c, d - 1) + "));\n} catch (Throwable " + e + ") {\nrejig.ev.Ev.err(" + e + ");\n}";
      }
      case 5: {
        String p = fresh("P");
        Unit u = text.concrete();
        return "{\nrecord " + p + "(int a, " + u.fqn() + " b) {}\nrejig.ev.Ev.log(" + tag + ", new " + p + "(1, " + text.make(u, "1") + ").equals(new " + p + "(1, " + text.make(u, "1") + ")) ? 1 : 2);\n}";
      }
      case 6: {
        Unit x = text.pick(text.where(u -> u.exception));
        Unit y = text.pick(text.where(u -> u.exception));
        String e = fresh("e");
        return "try {\ntry {\nif (" + text.expr(c, d - 1) + " > 1) throw " + text.make(x) + ";\n} finally {\nrejig.ev.Ev.log(" + tag + ", 4);\n}\n} catch (" + y.fqn() + " | IllegalArgumentException " + e
            + ") {\nrejig.ev.Ev.log(" + tag + ", " + e + " instanceof RuntimeException ? 5 : 6);\n} catch (RuntimeException " + e + ") {\nrejig.ev.Ev.log(" + tag + ", 7);\n}";
      }
      case 7: {
        String i = fresh("i");
        return "out" + i + ":\nfor (int " + i + " = 0; " + i + " < 3; " + i + "++) {\nint k" + i + " = 0;\ndo {\nif (k" + i + "++ > " + text.expr(c, d - 1) + ") break out" + i + ";\n} while (k" + i
            + " < 2);\nrejig.ev.Ev.log(" + tag + ", k" + i + ");\n}";
      }
      default: {
        String s = fresh("s");
        return "{\nString " + s + " = \"q\";\n" + s + " += " + text.expr(c, d - 1) + ";\n" + s + " += 'c';\nrejig.ev.Ev.log(" + tag + ", " + s + ".length());\n}";
      }
    }
  }

  /** An inner class that reaches into its outer object, and a nested enum. */
  Member inner(Unit u) {
    Member m = new Member("raw");
    m.name = "In";
    m.body = new ArrayList<>();
    m.body.add("public class In {");
    m.body.add("private int w;");
    m.body.add("public In(int x) { this.w = x + " + random.nextInt(5) + "; }");
    m.body.add("public int im(int x) { rejig.ev.Ev.log(\"" + u.name + ".In.im\", x); return w++ + " + (u.has("method", "r0") ? "r0(x)" : "x") + (u.has("field", "f0") ? " + f0" : "") + "; }");
    m.body.add("}");
    return m;
  }

  Member nestedEnum(Unit u) {
    Member m = new Member("raw");
    m.name = "St";
    m.body = new ArrayList<>();
    m.body.add("public enum St implements java.util.function.IntUnaryOperator { P { public int st(int x) { return x + " + random.nextInt(5) + "; } }, Q;");
    m.body.add("public int st(int x) { return applyAsInt(x); }");
    m.body.add("public int applyAsInt(int x) { return rejig.ev.Ev.log(\"" + u.name + ".St\", x) + " + (u.has("method", "s0") ? "s0(x)" : "1") + "; }");
    m.body.add("}");
    return m;
  }
}
