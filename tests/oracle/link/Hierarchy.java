// SPDX-License-Identifier: Apache-2.0
package link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/** A random program: types, members, and how they are wrong. Equal seeds make equal programs. */
final class Hierarchy implements Opcodes {
  static final String METHOD_DESC = "()Ljava/lang/String;";
  static final String FIELD_DESC = "Ljava/lang/String;";
  static final String OBJECT = "java/lang/Object";
  static final String[] METHODS = {"m", "n"};
  static final String[] FIELDS = {"f", "g"};
  static final String[] CONSTRUCTORS = {"()V", "(I)V"};

  record Member(int access, String name, String desc) { }

  /** Code that makes the verifier look at types: passes a `from` as a `to`, or catches `to`. Never run. */
  record Bait(String from, String to) { }

  static final class Type {
    String name;
    boolean itf;
    int major;
    int access;
    String superName = OBJECT;
    final List<String> interfaces = new ArrayList<>();
    final List<Member> methods = new ArrayList<>();
    final List<Member> fields = new ArrayList<>();
    final List<Member> constructors = new ArrayList<>();
    boolean clinit;
    final List<Bait> baits = new ArrayList<>();
    boolean caller; // nothing but queries
    String nestHost;
    final List<String> nestMembers = new ArrayList<>();
    List<String> permits;
    final List<Query> queries = new ArrayList<>();

    boolean is(int flag) {
      return (access & flag) != 0;
    }

    boolean concrete() {
      return !itf && !is(ACC_ABSTRACT) && !caller;
    }

    String packageName() {
      return name.substring(0, name.lastIndexOf('/'));
    }
  }

  /** One question; `from` is the class whose method holds the instruction. */
  record Query(int number, String op, String from, String owner, String name, String desc, boolean itf, String cast,
      String receiver) { }

  final List<Type> types = new ArrayList<>();
  final Map<String, Type> byName = new HashMap<>();
  private final Random random;
  private final int maxMajor;
  private int queries;

  Hierarchy(long seed, int maxMajor, int queryCount) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + 12345);
    random.nextInt();
    this.maxMajor = maxMajor;
    int n = 3 + random.nextInt(7);
    for (int i = 0; i < n; i++) add(type(i));
    nests();
    for (Type t : types) bait(t);
    for (String p : new String[] {"p", "q"}) {
      Type c = new Type();
      c.name = p + "/Call";
      c.caller = true;
      c.access = ACC_PUBLIC | ACC_SUPER;
      c.major = Math.min(maxMajor, chance(30) ? 50 : chance(50) ? 52 : 61);
      add(c);
    }
    for (int i = 0; i < queryCount; i++) query();
  }

  private void add(Type t) {
    types.add(t);
    byName.put(t.name, t);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String pick(String[] list) {
    return list[random.nextInt(list.length)];
  }

  private int version() {
    int[] usual = {45, 46, 48, 49, 50, 50, 50, 51, 51, 51, 52, 52, 52, 53, 55, 55, 61, 61};
    int v = chance(85) ? usual[random.nextInt(usual.length)] : 45 + random.nextInt(maxMajor - 44);
    return Math.min(v, maxMajor);
  }

  // ---- types

  private Type type(int index) {
    Type t = new Type();
    t.name = (chance(65) ? "p/" : "q/") + (char) ('A' + index);
    t.itf = chance(40);
    t.major = version();
    t.access = chance(80) ? ACC_PUBLIC : 0;
    if (t.itf) t.access |= ACC_INTERFACE | ACC_ABSTRACT;
    else t.access |= ACC_SUPER | (chance(30) ? ACC_ABSTRACT : chance(4) ? ACC_FINAL : 0);
    if (t.is(ACC_FINAL)) t.access &= ~ACC_ABSTRACT;
    supertypes(t);
    t.clinit = chance(60);
    for (String m : METHODS) {
      if (chance(t.itf ? 60 : 55)) t.methods.add(method(t, m));
    }
    for (String f : FIELDS) {
      if (chance(t.itf ? 25 : 35)) t.fields.add(new Member(fieldAccess(t), f, FIELD_DESC));
    }
    if (!t.itf) {
      for (String c : CONSTRUCTORS) {
        if (chance(40)) t.constructors.add(new Member(visibility(), "<init>", c));
      }
    }
    if (t.itf && t.methods.stream().anyMatch(m -> (m.access & ACC_ABSTRACT) == 0)) {
      t.major = Math.max(t.major, 52);
    }
    if (maxMajor >= 61 && !t.is(ACC_FINAL) && chance(4)) {
      t.major = Math.max(t.major, 61);
      t.permits = new ArrayList<>();
      for (int k = index + 1; k < 10; k++) {
        if (chance(80)) t.permits.add((chance(80) ? t.packageName() : "q") + "/" + (char) ('A' + k));
      }
      if (t.permits.isEmpty()) t.permits.add(t.packageName() + "/Z");
    }
    return t;
  }

  private void supertypes(Type t) {
    List<Type> classes = new ArrayList<>();
    List<Type> itfs = new ArrayList<>();
    for (Type x : types) {
      boolean visible = x.is(ACC_PUBLIC) || x.packageName().equals(t.packageName());
      if (visible || chance(3)) (x.itf ? itfs : classes).add(x);
    }
    if (!t.itf && !classes.isEmpty() && chance(75)) {
      Type s = classes.get(classes.size() - 1 - Math.min(random.nextInt(3), classes.size() - 1));
      if (!s.is(ACC_FINAL) || chance(15)) t.superName = s.name;
    }
    if (!t.itf && t.superName.equals(OBJECT) && chance(8)) t.superName = "java/lang/Exception";
    if (!t.itf && chance(1)) t.superName = chance(50) || itfs.isEmpty() ? "p/Missing" : pick(itfs).name;
    int n = itfs.isEmpty() ? 0 : chance(40) ? 1 : chance(45) ? 2 : chance(20) ? 3 : 0;
    for (int i = 0; i < n; i++) {
      String x = pick(itfs).name;
      if (!t.interfaces.contains(x)) t.interfaces.add(x);
    }
    if (chance(1)) {
      String x = chance(50) || classes.isEmpty() ? "q/Missing" : pick(classes).name;
      if (!t.interfaces.contains(x)) t.interfaces.add(x);
    }
  }

  private int visibility() {
    int[] all = {ACC_PUBLIC, ACC_PUBLIC, ACC_PUBLIC, ACC_PROTECTED, ACC_PROTECTED, 0, 0, ACC_PRIVATE};
    return all[random.nextInt(all.length)];
  }

  private Member method(Type t, String name) {
    int a;
    if (t.itf) {
      a = ACC_PUBLIC | ACC_ABSTRACT;
      if (chance(60) && maxMajor >= 52) {
        int k = random.nextInt(10);
        a = k < 6 ? ACC_PUBLIC : k < 8 ? ACC_PUBLIC | ACC_STATIC : k < 9 ? ACC_PRIVATE : ACC_PRIVATE | ACC_STATIC;
      }
    } else {
      a = visibility();
      if (chance(12)) a |= ACC_STATIC;
      else if (t.is(ACC_ABSTRACT) && (a & ACC_PRIVATE) == 0 && chance(30)) a |= ACC_ABSTRACT;
      if ((a & ACC_ABSTRACT) == 0 && chance(4)) a |= ACC_FINAL;
    }
    return new Member(a, name, METHOD_DESC);
  }

  private int fieldAccess(Type t) {
    if (t.itf) return ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
    return visibility() | (chance(40) ? ACC_STATIC : 0) | (chance(15) ? ACC_FINAL : 0);
  }

  /** Sometimes a nest in package p, honest or not. */
  private void nests() {
    if (maxMajor < 55 || !chance(25)) return;
    Type host = pick(types);
    for (Type t : types) {
      if (t == host || !chance(50)) continue;
      if (chance(90)) {
        t.nestHost = host.name;
        t.major = Math.max(t.major, 55);
      }
      if (chance(90)) host.nestMembers.add(t.name);
    }
    if (!host.nestMembers.isEmpty()) host.major = Math.max(host.major, 55);
  }

  /** Does linking the type verify bait, its own or that of a supertype? */
  boolean baited(String name) {
    Set<String> all = new HashSet<>(supertypes(name));
    all.add(name);
    return types.stream().anyMatch(t -> all.contains(t.name) && !t.baits.isEmpty());
  }

  private void bait(Type t) {
    if (t.itf && t.major < 52 || !chance(12)) return;
    String to = chance(90) ? pick(types).name : "p/Missing";
    String from = chance(90) ? pick(types).name : "p/Missing";
    t.baits.add(new Bait(chance(50) ? from : null, to));
  }

  // ---- questions

  private static final String[] OPS = {"invokevirtual", "invokevirtual", "invokevirtual", "invokevirtual",
      "invokeinterface", "invokeinterface", "invokeinterface", "invokeinterface", "invokestatic", "invokestatic",
      "invokespecial", "invokespecial", "getfield", "getfield", "putfield", "getstatic", "getstatic", "putstatic", "new",
      "construct", "instanceof", "checkcast"};

  /** A random question that the verifier lets pass; nothing when the dice ask for another one. */
  private void query() {
    String op = pick(OPS);
    Type from = chance(45) ? byName.get(chance(60) ? "p/Call" : "q/Call") : pick(types);
    if (from.itf && from.major < 52) return;
    String owner = chance(98) ? pick(types.subList(0, types.size() - 2)).name : "p/Missing";
    boolean itf = byName.containsKey(owner) && byName.get(owner).itf;
    switch (op) {
      case "new" -> ask(op, from, owner, null, null, false, null, null);
      case "construct" -> {
        if (!itf) ask(op, from, owner, "<init>", pick(CONSTRUCTORS), false, null, null);
      }
      case "instanceof", "checkcast" -> receiver(null).ifPresent(r -> ask(op, from, owner, null, null, false, null, r));
      case "getstatic", "putstatic" -> ask(op, from, owner, field(owner, true), FIELD_DESC, false, null, null);
      case "invokestatic" -> {
        boolean flag = from.major >= 52 && (chance(5) ? !itf : itf);
        ask(op, from, owner, method(owner, true), METHOD_DESC, flag, null, null);
      }
      case "invokespecial" -> special(from);
      default -> {
        boolean field = op.endsWith("field");
        boolean flag = op.equals("invokeinterface");
        if (!field && flag != itf && !chance(4)) {
          instance(flag ? "invokevirtual" : "invokeinterface", from, owner, !flag, false);
        } else {
          instance(op, from, owner, flag, field);
        }
      }
    }
  }

  /** An instruction on an object. Below a superclass the verifier wants the caller's own type for protected members. */
  private void instance(String op, Type from, String owner, boolean itf, boolean field) {
    boolean below = superclasses(from.name).contains(owner);
    String name = field ? field(owner, false) : method(owner, false);
    receiver(below ? from.name : owner).ifPresent(r -> ask(op, from, owner, name,
        field ? FIELD_DESC : METHOD_DESC, itf, below ? from.name : owner, r));
  }

  private void special(Type from) {
    if (from.caller) return;
    List<String> owners = new ArrayList<>(from.interfaces);
    if (from.itf) {
      owners.add(from.name);
    } else {
      owners.addAll(superclasses(from.name));
      owners.add(from.name);
    }
    String owner = pick(owners);
    if (!byName.containsKey(owner)) return;
    boolean itf = byName.get(owner).itf;
    if (itf && from.major < 52) return;
    receiver(from.name).ifPresent(
        r -> ask("invokespecial", from, owner, method(owner, false), METHOD_DESC, itf, from.name, r));
  }

  private String field(String owner, boolean isStatic) {
    return likely(owner, isStatic, FIELDS);
  }

  private String method(String owner, boolean isStatic) {
    return likely(owner, isStatic, METHODS);
  }

  /** Mostly a name that the owner or a supertype declares with the right kind. */
  private String likely(String owner, boolean isStatic, String[] names) {
    List<String> fits = new ArrayList<>();
    Set<String> family = new HashSet<>(supertypes(owner));
    family.add(owner);
    for (Type t : types) {
      if (!family.contains(t.name)) continue;
      for (Member m : names == FIELDS ? t.fields : t.methods) {
        if (((m.access & ACC_STATIC) != 0) == isStatic) fits.add(m.name);
      }
    }
    return fits.isEmpty() || chance(30) ? pick(names) : pick(fits);
  }

  private void ask(String op, Type from, String owner, String name, String desc, boolean itf, String cast, String r) {
    from.queries.add(new Query(queries++, op, from.name, owner, name, desc, itf, cast, r));
  }

  /** A concrete class below a type, or any. */
  private java.util.Optional<String> receiver(String above) {
    List<String> fits = new ArrayList<>();
    for (Type t : types) {
      if (t.concrete() && (above == null || t.name.equals(above) || supertypes(t.name).contains(above))) fits.add(t.name);
    }
    return fits.isEmpty() ? java.util.Optional.empty() : java.util.Optional.of(pick(fits));
  }

  private List<String> superclasses(String name) {
    List<String> result = new ArrayList<>();
    for (Type t = byName.get(name); t != null; t = byName.get(t.superName)) {
      if (!t.name.equals(name)) result.add(t.name);
    }
    return result;
  }

  Set<String> supertypes(String name) {
    Set<String> result = new HashSet<>();
    Type t = byName.get(name);
    if (t == null) return result;
    List<String> direct = new ArrayList<>(t.interfaces);
    direct.add(t.superName);
    for (String d : direct) {
      result.add(d);
      result.addAll(supertypes(d));
    }
    return result;
  }
}
