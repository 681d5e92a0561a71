// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A small Java program as text that still knows its classes, members and statements, so that it can be changed and printed again. */
final class Model {
  final List<Unit> units = new ArrayList<>();
  /** Release whose constructs may stand in method bodies; 0: only the plain ones. */
  int feature;

  enum Kind { CLASS, INTERFACE, ENUM, RECORD }

  static final class Unit {
    Kind kind = Kind.CLASS;
    String pkg = "p";
    String name;
    final Set<String> mods = new LinkedHashSet<>();
    String ext = "";
    final List<String> impls = new ArrayList<>();
    final List<String> permits = new ArrayList<>();
    /** Type parameters, record components or enum constants, as text. */
    String typeParams = "";
    final List<String> header = new ArrayList<>();
    final List<Member> members = new ArrayList<>();
    final List<String> annotations = new ArrayList<>();
    boolean test;
    boolean exception;
    boolean serial;

    String fqn() {
      return pkg + "." + name;
    }

    String path() {
      return pkg + "/" + name + ".java";
    }

    Unit copy() {
      Unit u = new Unit();
      u.kind = kind;
      u.pkg = pkg;
      u.name = name;
      u.mods.addAll(mods);
      u.ext = ext;
      u.impls.addAll(impls);
      u.permits.addAll(permits);
      u.typeParams = typeParams;
      u.header.addAll(header);
      u.annotations.addAll(annotations);
      for (Member m : members) u.members.add(m.copy());
      u.test = test;
      u.exception = exception;
      u.serial = serial;
      return u;
    }

    Member find(String kindOf, String memberName) {
      for (Member m : members) if (m.kind.equals(kindOf) && m.name.equals(memberName)) return m;
      return null;
    }

    boolean has(String kindOf, String memberName) {
      return find(kindOf, memberName) != null;
    }

    String print() {
      StringBuilder b = new StringBuilder("package " + pkg + ";\n");
      for (String a : annotations) b.append(a).append('\n');
      b.append(mods.isEmpty() ? "" : String.join(" ", mods) + " ");
      b.append(switch (kind) {
        case CLASS -> "class ";
        case INTERFACE -> "interface ";
        case ENUM -> "enum ";
        case RECORD -> "record ";
      }).append(name).append(typeParams);
      if (kind == Kind.RECORD) b.append('(').append(String.join(", ", header)).append(')');
      if (!ext.isEmpty()) b.append(" extends ").append(ext);
      if (!impls.isEmpty()) b.append(kind == Kind.INTERFACE ? " extends " : " implements ").append(String.join(", ", impls));
      if (!permits.isEmpty()) b.append(" permits ").append(String.join(", ", permits));
      b.append(" {\n");
      if (kind == Kind.ENUM) b.append(String.join(",\n", header)).append(";\n");
      for (Member m : members) m.print(b);
      return b.append("}\n").toString();
    }
  }

  static final class Member {
    /** field, method, ctor, static (initializer), init (instance initializer), raw (text as it is). */
    String kind;
    final Set<String> mods = new LinkedHashSet<>();
    String type = "int";
    String name = "";
    String params = "";
    /** Statements; of a field its initializer; null when there is none. */
    List<String> body;
    String annotation = "";

    Member(String kind) {
      this.kind = kind;
    }

    Member copy() {
      Member m = new Member(kind);
      m.mods.addAll(mods);
      m.type = type;
      m.name = name;
      m.params = params;
      m.body = body == null ? null : new ArrayList<>(body);
      m.annotation = annotation;
      return m;
    }

    String signature() {
      return kind + " " + name + "(" + params + ")";
    }

    boolean isStatic() {
      return mods.contains("static");
    }

    void print(StringBuilder b) {
      String m = mods.isEmpty() ? "" : String.join(" ", mods) + " ";
      if (!annotation.isEmpty()) b.append(annotation).append(' ');
      switch (kind) {
        case "field" -> b.append(m).append(type).append(' ').append(name).append(body == null ? "" : " = " + body.get(0)).append(";\n");
        case "method", "ctor" -> {
          b.append(m).append(kind.equals("ctor") ? "" : type + " ").append(name).append('(').append(params).append(')');
          if (annotation.contains("Test")) b.append(" throws Throwable");
          if (body == null) {
            b.append(";\n");
          } else {
            b.append(" {\n");
            for (String s : body) b.append(s).append('\n');
            b.append("}\n");
          }
        }
        case "static", "init" -> {
          b.append(kind.equals("static") ? "static {\n" : "{\n");
          for (String s : body) b.append(s).append('\n');
          b.append("}\n");
        }
        default -> {
          for (String s : body) b.append(s).append('\n');
        }
      }
    }
  }

  Model copy() {
    Model m = new Model();
    m.feature = feature;
    for (Unit u : units) m.units.add(u.copy());
    return m;
  }

  Unit unit(String fqn) {
    for (Unit u : units) if (u.fqn().equals(fqn)) return u;
    return null;
  }

  Map<String, String> sources() {
    Map<String, String> out = new TreeMap<>();
    for (Unit u : units) out.put(u.path(), u.print());
    return out;
  }

  /** The class and its superclasses in this program, nearest first. */
  List<Unit> supers(Unit u) {
    List<Unit> out = new ArrayList<>();
    for (Unit c = u; c != null && !out.contains(c); c = unit(c.ext)) out.add(c);
    return out;
  }

  /** Every supertype in this program, the class itself first. */
  List<Unit> supertypes(Unit u) {
    List<Unit> out = new ArrayList<>();
    List<Unit> todo = new ArrayList<>(List.of(u));
    while (!todo.isEmpty()) {
      Unit c = todo.remove(0);
      if (out.contains(c)) continue;
      out.add(c);
      if (unit(c.ext) != null) todo.add(unit(c.ext));
      for (String i : c.impls) {
        int angle = i.indexOf('<');
        Unit k = unit(angle < 0 ? i : i.substring(0, angle));
        if (k != null) todo.add(k);
      }
    }
    return out;
  }

  boolean understands(Unit u, String kind, String name, boolean isStatic) {
    for (Unit c : supertypes(u)) {
      if (isStatic && kind.equals("method") && c != u && c.kind == Kind.INTERFACE) continue;
      Member m = c.find(kind, name);
      if (m != null && (m.isStatic() == isStatic || c.kind == Kind.INTERFACE && kind.equals("field"))) return true;
    }
    return false;
  }
}
