// SPDX-License-Identifier: Apache-2.0
package dump;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All known classes by name, and JVMS 5.4.3 (resolution) and 5.4.6 (selection) over them. */
final class World {
  static final int PUBLIC = 1;
  static final int PRIVATE = 2;
  static final int PROTECTED = 4;
  static final int STATIC = 8;
  static final int VARARGS = 0x80;
  static final int NATIVE = 0x100;
  static final int INTERFACE = 0x200;
  static final int ABSTRACT = 0x400;
  static final String OBJECT = "java/lang/Object";

  /** Name, supertypes and members of a class. */
  static final class Shell {
    final String name;
    final String superName;
    final List<String> interfaces;
    final int access;
    final boolean internal;
    final Map<String, Integer> fields = new HashMap<>(); // "name:desc" to access
    final Map<String, Integer> methods = new HashMap<>(); // "name(desc)" to access

    Shell(RawClass c, boolean internal) {
      name = c.name;
      superName = c.superName;
      interfaces = c.interfaces;
      access = c.access;
      this.internal = internal;
      for (RawClass.Member m : c.fields) fields.put(m.name + ":" + m.desc, m.access);
      for (RawClass.Member m : c.methods) methods.put(m.name + m.desc, m.access);
    }

    boolean isInterface() {
      return (access & INTERFACE) != 0;
    }

    String packageName() {
      return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }
  }

  /** A declared member. */
  record Member(Shell in, String key, int access) {
    boolean is(int flag) {
      return (access & flag) != 0;
    }

    String text() {
      return in.name + "." + key;
    }
  }

  /** The outcome of a resolution or selection: a member, an error, or unknown. */
  record Outcome(Member member, String error) {
    static final Outcome UNKNOWN = new Outcome(null, null);

    static Outcome of(Member m) {
      return new Outcome(m, null);
    }

    static Outcome error(String kind) {
      return new Outcome(null, kind);
    }

    String text() {
      return member != null ? member.text() : error != null ? "!" + error : "?";
    }
  }

  static final class Unknown extends Exception {
    Unknown() {
      super(null, null, false, false);
    }
  }

  static final String ICCE = "IncompatibleClassChangeError";
  static final String NO_METHOD = "NoSuchMethodError";
  static final String NO_FIELD = "NoSuchFieldError";
  static final String ABSTRACT_METHOD = "AbstractMethodError";
  static final String ILLEGAL_ACCESS = "IllegalAccessError";

  private final Map<String, Shell> shells = new HashMap<>();
  private final Map<Shell, Set<String>> supersOf = new HashMap<>();

  void add(Shell s) {
    shells.putIfAbsent(s.name, s);
  }

  Shell find(String name) {
    return shells.get(name);
  }

  Collection<Shell> all() {
    return shells.values();
  }

  private Shell need(String name) throws Unknown {
    Shell s = shells.get(name);
    if (s == null) throw new Unknown();
    return s;
  }

  private static Member declared(Map<String, Integer> members, Shell s, String key) {
    Integer access = members.get(key);
    return access == null ? null : new Member(s, key, access);
  }

  // ---- hierarchy

  /** No class is added any more. */
  void freeze() {
    for (Shell s : shells.values()) supersOf.put(s, computeSupers(s));
  }

  /** All transitive super types, known or not; the class itself only if it lies on a cycle. */
  Set<String> supers(Shell s) {
    return supersOf.get(s);
  }

  private Set<String> computeSupers(Shell s) {
    Set<String> result = new HashSet<>();
    List<Shell> work = new ArrayList<>(List.of(s));
    while (!work.isEmpty()) {
      Shell x = work.remove(work.size() - 1);
      List<String> direct = new ArrayList<>(x.interfaces);
      if (x.superName != null) direct.add(x.superName);
      for (String d : direct) {
        if (result.add(d) && shells.containsKey(d)) work.add(shells.get(d));
      }
    }
    return result;
  }

  /** A super type is missing, or the class or one of its super types is its own super type. */
  boolean open(Shell s, Set<String> supers) {
    if (supers.contains(s.name)) return true;
    for (String t : supers) {
      Shell x = shells.get(t);
      if (x == null || supers(x).contains(t)) return true;
    }
    return false;
  }

  /** The class and its superclasses. Fails when one is missing or comes twice. */
  private Iterable<Shell> chain(Shell s) throws Unknown {
    LinkedHashSet<Shell> result = new LinkedHashSet<>();
    for (Shell x = s; x != null; x = x.superName == null ? null : need(x.superName)) {
      if (!result.add(x)) throw new Unknown();
    }
    return result;
  }

  /** All superinterfaces of a class and of its superclasses, or of an interface. */
  private Set<Shell> superinterfaces(Shell s) throws Unknown {
    Set<Shell> result = new LinkedHashSet<>();
    List<Shell> work = new ArrayList<>();
    if (s.isInterface()) work.add(s);
    else for (Shell c : chain(s)) work.add(c);
    while (!work.isEmpty()) {
      Shell x = work.remove(work.size() - 1);
      for (String i : x.interfaces) {
        Shell t = need(i);
        if (result.add(t)) work.add(t);
      }
    }
    return result;
  }

  // ---- JVMS 5.4.3.2

  Outcome resolveField(String owner, String name, String desc, boolean isStatic) {
    try {
      Member m = lookupField(need(owner), name + ":" + desc, new HashSet<>());
      if (m == null) return Outcome.error(NO_FIELD);
      return m.is(STATIC) == isStatic ? Outcome.of(m) : Outcome.error(ICCE);
    } catch (Unknown u) {
      return Outcome.UNKNOWN;
    }
  }

  private Member lookupField(Shell s, String key, Set<Shell> path) throws Unknown {
    if (!path.add(s)) throw new Unknown();
    Member m = declared(s.fields, s, key);
    for (String i : s.interfaces) {
      if (m == null) m = lookupField(need(i), key, path);
    }
    if (m == null && !s.isInterface() && s.superName != null) m = lookupField(need(s.superName), key, path);
    path.remove(s);
    return m;
  }

  // ---- JVMS 5.4.3.3, 5.4.3.4

  Outcome resolveMethod(String op, String owner, String name, String desc, boolean itf) {
    try {
      Shell c = need(owner.startsWith("[") ? OBJECT : owner);
      if (itf && owner.startsWith("[")) return Outcome.error(ICCE);
      if (c.isInterface() != itf) return Outcome.error(ICCE);
      String key = name + desc;
      Member m;
      if (name.equals("<init>")) m = declared(c.methods, c, key);
      else if (itf) m = lookupInInterface(c, key);
      else m = lookupInClass(c, name, key);
      if (m == null) return Outcome.error(NO_METHOD);
      return m.is(STATIC) == op.equals("invokestatic") ? Outcome.of(m) : Outcome.error(ICCE);
    } catch (Unknown u) {
      return Outcome.UNKNOWN;
    }
  }

  private Member lookupInClass(Shell c, String name, String key) throws Unknown {
    Set<Shell> seen = new HashSet<>();
    for (Shell x = c; x != null; x = x.superName == null ? null : need(x.superName)) {
      if (!seen.add(x)) throw new Unknown();
      Member m = polymorphic(x, name);
      if (m == null) m = declared(x.methods, x, key);
      if (m != null) return m;
    }
    return lookupInSuperinterfaces(c, key);
  }

  /** JVMS 2.9.3: the one method of that name, native and varargs, of MethodHandle or VarHandle. */
  private static Member polymorphic(Shell c, String name) {
    if (!c.name.equals("java/lang/invoke/MethodHandle") && !c.name.equals("java/lang/invoke/VarHandle")) return null;
    Member only = null;
    for (String key : c.methods.keySet()) {
      if (!key.startsWith(name + "(")) continue;
      if (only != null) return null;
      only = declared(c.methods, c, key);
    }
    boolean is = only != null && only.is(VARARGS) && only.is(NATIVE) && only.key.contains("([Ljava/lang/Object;)");
    return is ? only : null;
  }

  private Member lookupInInterface(Shell c, String key) throws Unknown {
    Member m = declared(c.methods, c, key);
    if (m != null) return m;
    Shell object = need(OBJECT);
    m = declared(object.methods, object, key);
    if (m != null && m.is(PUBLIC) && !m.is(STATIC)) return m;
    return lookupInSuperinterfaces(c, key);
  }

  private Member lookupInSuperinterfaces(Shell c, String key) throws Unknown {
    Set<Shell> all = superinterfaces(c);
    List<Member> concrete = maximallySpecific(all, key).stream().filter(m -> !m.is(ABSTRACT)).toList();
    if (concrete.size() == 1) return concrete.get(0);
    return candidates(all, key).stream()
        .min((x, y) -> Json.compareModifiedUtf8(x.in.name, y.in.name)).orElse(null);
  }

  private static List<Member> candidates(Set<Shell> interfaces, String key) {
    List<Member> result = new ArrayList<>();
    for (Shell i : interfaces) {
      Member m = declared(i.methods, i, key);
      if (m != null && !m.is(PRIVATE) && !m.is(STATIC)) result.add(m);
    }
    return result;
  }

  private List<Member> maximallySpecific(Set<Shell> interfaces, String key) {
    List<Member> all = candidates(interfaces, key);
    List<Member> result = new ArrayList<>(all);
    for (Member m : all) {
      Set<String> above = supers(m.in);
      result.removeIf(x -> x != m && above.contains(x.in.name));
    }
    return result;
  }

  // ---- JVMS 5.4.6 and 6.5

  /** The method that runs for a receiver of class r. */
  Outcome select(Shell r, Member resolved, boolean byInterface) {
    if (resolved.is(PRIVATE)) return Outcome.of(resolved);
    try {
      Member m = null;
      Set<Shell> seen = new HashSet<>();
      for (Shell x = r; x != null; x = x.superName == null ? null : need(x.superName)) {
        if (!seen.add(x)) throw new Unknown();
        Member d = declared(x.methods, x, resolved.key);
        if (d != null && !d.is(STATIC) && overrides(d, resolved)) {
          m = d;
          break; // what is above is not asked, and may be missing
        }
      }
      if (m == null) return selectInSuperinterfaces(r, resolved.key);
      if (byInterface && !m.is(PUBLIC)) return Outcome.error(ILLEGAL_ACCESS);
      return m.is(ABSTRACT) ? Outcome.error(ABSTRACT_METHOD) : Outcome.of(m);
    } catch (Unknown u) {
      return Outcome.UNKNOWN;
    }
  }

  private Outcome selectInSuperinterfaces(Shell r, String key) throws Unknown {
    List<Member> concrete =
        maximallySpecific(superinterfaces(r), key).stream().filter(m -> !m.is(ABSTRACT)).toList();
    if (concrete.size() == 1) return Outcome.of(concrete.get(0));
    return Outcome.error(concrete.isEmpty() ? ABSTRACT_METHOD : ICCE);
  }

  /** JVMS 5.4.5: m of class C can override a of class A (same name and descriptor; C is A or below it). */
  private boolean overrides(Member m, Member a) {
    if (m.is(PRIVATE)) return false;
    if (m.in == a.in || a.in.isInterface() || a.is(PUBLIC) || a.is(PROTECTED)) return true;
    if (a.is(PRIVATE)) return false;
    if (m.in.packageName().equals(a.in.packageName())) return true;
    Set<Shell> seen = new HashSet<>();
    for (Shell x = superOf(m.in); x != null && x != a.in && seen.add(x); x = superOf(x)) {
      Member b = declared(x.methods, x, a.key);
      if (b != null && !b.is(STATIC) && overrides(m, b) && overrides(b, a)) return true;
    }
    return false;
  }

  private Shell superOf(Shell s) {
    return s.superName == null ? null : shells.get(s.superName);
  }

  /** JVMS 6.5 invokespecial: the one method, for a caller, or for kind 8 handles none. */
  Outcome special(String from, String owner, Member resolved) {
    if (resolved.key.startsWith("<init>")) return Outcome.of(resolved);
    try {
      Shell named = need(owner.startsWith("[") ? OBJECT : owner);
      Shell caller = from == null ? null : find(from);
      Shell c = named;
      if (caller != null && !named.isInterface() && caller != named && supers(caller).contains(named.name)
          && superclassOf(named, caller)) {
        c = need(caller.superName);
      }
      for (Shell x : c.isInterface() ? List.of(c) : chainUntil(c, resolved.key)) {
        Member d = declared(x.methods, x, resolved.key);
        if (d != null && !d.is(STATIC)) {
          return d.is(ABSTRACT) ? Outcome.error(ABSTRACT_METHOD) : Outcome.of(d);
        }
      }
      if (c.isInterface()) {
        Shell object = need(OBJECT);
        Member d = declared(object.methods, object, resolved.key);
        if (d != null && d.is(PUBLIC) && !d.is(STATIC)) return Outcome.of(d);
      }
      return selectInSuperinterfaces(c, resolved.key);
    } catch (Unknown u) {
      return Outcome.UNKNOWN;
    }
  }

  private boolean superclassOf(Shell above, Shell below) throws Unknown {
    Set<Shell> seen = new HashSet<>();
    for (Shell x = below; x.superName != null && seen.add(x); ) {
      x = need(x.superName);
      if (x == above) return true;
    }
    return false;
  }

  /** The superclass chain up to the first class that declares the method. */
  private List<Shell> chainUntil(Shell c, String key) throws Unknown {
    List<Shell> result = new ArrayList<>();
    for (Shell x = c; ; x = need(x.superName)) {
      if (result.contains(x)) throw new Unknown();
      result.add(x);
      Integer access = x.methods.get(key);
      if (access != null && (access & STATIC) == 0 || x.superName == null) return result;
    }
  }
}
