// SPDX-License-Identifier: Apache-2.0
package rejig.harness.boot;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What did the running test touch? One set of atoms for the whole JVM, all threads, filled by probes in the program's classes and in the JDK. Lives in the boot
 * loader so that JDK classes can call it. Slow on purpose; when in doubt it records.
 */
public final class Rec {
  private static final Object LOCK = new Object();
  private static final StackWalker WALKER =
      StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES, StackWalker.Option.SHOW_REFLECT_FRAMES));
  private static final Set<String> QUIET_APIS = Set.of("getEnumConstantsShared", "enumConstantDirectory", "getEnumConstants", "getName", "getTypeName", "toString",
      "getPackageName", "getClassLoader", "desiredAssertionStatus", "cast", "getNestHost", "isNestmateOf", "isHidden", "getModule", "descriptorString");

  private static volatile boolean on;
  private static ClassLoader loader;
  private static Set<String> atoms = new HashSet<>();
  private static Set<String> testClasses = new HashSet<>();
  private static String failure;

  private Rec() {}

  public static void start(ClassLoader programLoader, Set<String> testClassChain) {
    synchronized (LOCK) {
      loader = programLoader;
      atoms = new HashSet<>();
      testClasses = new HashSet<>(testClassChain);
      failure = null;
    }
    on = true;
  }

  public static Set<String> stop() {
    on = false;
    synchronized (LOCK) {
      loader = null;
      return new TreeSet<>(atoms);
    }
  }

  public static String failure() {
    return failure;
  }

  public static void fail(Throwable t) {
    failure = String.valueOf(t);
  }

  public static boolean recording(ClassLoader l) {
    return on && l != null && mine(l);
  }

  private static boolean mine(ClassLoader l) {
    for (ClassLoader x = l; x != null; x = x.getParent()) {
      if (x == loader) return true;
    }
    return false;
  }

  public static void hit(String atom) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      atoms.add(atom);
    }
  }

  /** The way that a conditional jump with these operands takes. */
  private static void way(String edge, boolean jumps) {
    hit(edge + (jumps ? "T" : "F"));
  }

  public static void branch(int a, String edge, int opcode) {
    branch(a, 0, edge, opcode + 6);
  }

  /** IF_ICMPEQ, NE, LT, GE, GT, LE. */
  public static void branch(int a, int b, String edge, int opcode) {
    way(edge, switch (opcode - 159) {
      case 0 -> a == b;
      case 1 -> a != b;
      case 2 -> a < b;
      case 3 -> a >= b;
      case 4 -> a > b;
      default -> a <= b;
    });
  }

  public static void branch(Object a, Object b, String edge, int opcode) {
    way(edge, (a == b) == (opcode == 165));
  }

  public static void branch(Object a, String edge, int opcode) {
    way(edge, (a == null) == (opcode == 198));
  }

  /** {@code keys} as ",1,2,". */
  public static void choose(int value, String edge, String keys) {
    hit(edge + "=" + (keys.contains("," + value + ",") ? "" + value : "*"));
  }

  public static boolean seen(String atom) {
    synchronized (LOCK) {
      return atoms.contains(atom);
    }
  }

  public static void recv(Object self, String method) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      Class<?> c = self.getClass();
      atoms.add("m:" + method);
      if (!c.isHidden()) atoms.add("recv:" + c.getName() + "|" + method);
    }
  }

  /** Entry of a constructor of {@code name}: the exact class unless a constructor of the same class or of a direct subclass calls it. */
  public static void ctor(String name) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      List<StackWalker.StackFrame> f = WALKER.walk(s -> s.limit(3).toList());
      if (f.size() < 3) {
        atoms.add("inst:" + name);
        return;
      }
      Class<?> self = f.get(1).getDeclaringClass();
      Class<?> caller = f.get(2).getDeclaringClass();
      boolean chained = f.get(2).getMethodName().equals("<init>") && (caller == self || caller.getSuperclass() == self);
      if (!chained) atoms.add("inst:" + name);
    }
  }

  public static void instObject(Object o) {
    if (o != null) inst(o.getClass());
  }

  public static void inst(Class<?> c) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      if (!c.isArray() && !c.isHidden() && mine(c.getClassLoader())) atoms.add("inst:" + c.getName());
    }
  }

  public static void reflSite(Class<?> c) {
    if (!on || c == null || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      addRefl(c);
    }
  }

  public static void reflSite2(Class<?> c, Object arg) {
    reflSite(c);
    if (arg instanceof Class<?> k) reflSite(k);
    else if (arg != null) reflSite(arg.getClass());
  }

  /** The names of anonymous and local classes are the compiler's numbering: reading one is looking at the class. */
  public static void name(Class<?> c) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      if (!mine(c.getClassLoader()) || !numbered(c.getName())) return;
      Site s = site("java.lang.Class");
      boolean loading = s.caller.equals("java.lang.ClassLoader") || s.caller.startsWith("java.lang.invoke.") || s.caller.startsWith("rejig.harness.");
      if (!loading && !s.api.equals("getPackageName")) addRefl(c);
    }
  }

  private static boolean numbered(String n) {
    for (int i = n.indexOf('$'); i >= 0; i = n.indexOf('$', i + 1)) {
      if (i + 1 < n.length() && Character.isDigit(n.charAt(i + 1))) return true;
    }
    return false;
  }

  private static void addRefl(Class<?> c) {
    Class<?> k = c;
    while (k.isArray()) k = k.getComponentType();
    if (mine(k.getClassLoader()) && !k.isHidden()) atoms.add("refl:" + k.getName());
  }

  private record Site(String api, String caller, String outside) {}

  private static Site site(String layer) {
    return WALKER.walk(s -> {
      String api = "";
      String caller = "";
      for (var it = s.iterator(); it.hasNext();) {
        StackWalker.StackFrame f = it.next();
        String cls = f.getClassName();
        if (cls.startsWith("rejig.harness.boot.")) continue;
        if (caller.isEmpty() && cls.equals(layer)) {
          api = f.getMethodName();
          continue;
        }
        if (caller.isEmpty()) caller = cls;
        if (!platform(f.getDeclaringClass())) return new Site(api, caller, cls);
      }
      return new Site(api, caller, "");
    });
  }

  private static boolean platform(Class<?> c) {
    ClassLoader l = c.getClassLoader();
    return l == null || l == ClassLoader.getPlatformClassLoader();
  }

  private static boolean framework(String cls) {
    return cls.startsWith("org.junit.") || cls.startsWith("junit.") || cls.startsWith("rejig.harness.");
  }

  /** Inside a method of java.lang.Class: the shell of {@code c} is being read. */
  public static void refl(Class<?> c) {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      if (!mine(c.getClassLoader())) return;
      Site s = site("java.lang.Class");
      if (QUIET_APIS.contains(s.api)) return;
      if (s.caller.startsWith("java.lang.invoke.") || s.caller.startsWith("java.lang.runtime.")) return;
      if (framework(s.outside) && testClasses.contains(c.getName())) return;
      if (s.api.equals("getSimpleName") || s.api.equals("getCanonicalName")) {
        if (platformName(s.caller) && !numbered(c.getName())) return;
      }
      addRefl(c);
    }
  }

  private static boolean platformName(String cls) {
    return cls.startsWith("java.") || cls.startsWith("jdk.") || cls.startsWith("sun.");
  }

  /** A lookup through MethodHandles.Lookup, told apart from linkage by its caller. */
  public static void lookup(Class<?> c) {
    if (!on || c == null || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      if (!mine(c.getClassLoader())) return;
      Site s = site("java.lang.invoke.MethodHandles$Lookup");
      if (!s.caller.startsWith("java.lang.invoke.")) addRefl(c);
    }
  }

  public static void stack() {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      Site s = site("java.lang.Throwable");
      if (!framework(s.outside)) atoms.add("stackapi");
    }
  }

  public static void file(Object path) {
    if (!on || path == null || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      Site s = site("java.io.File");
      if (framework(s.outside) || s.outside.isEmpty()) return;
      String p = String.valueOf(path);
      if (s.caller.startsWith("jdk.internal.loader.") || s.caller.startsWith("java.util.jar.") || s.caller.startsWith("java.util.zip.")) return;
      String base = System.getProperty("user.dir") + "/";
      if (p.startsWith(base)) p = p.substring(base.length());
      atoms.add("res:" + p);
      atoms.add("resmiss:" + p);
    }
  }

  public static void manifest() {
    if (!on || Thread.holdsLock(LOCK)) return;
    synchronized (LOCK) {
      Site s = site("java.lang.Package");
      String caller = s.caller;
      if (framework(s.outside) || s.outside.isEmpty()) return;
      if (!caller.equals("java.net.URLClassLoader") && !caller.equals("java.lang.ClassLoader")) atoms.add("res:META-INF/MANIFEST.MF");
    }
  }

  /** A service is looked up in services files and in module descriptors. */
  public static void service(Class<?> c) {
    hit("res:META-INF/services/" + c.getName());
    hit("resmiss:META-INF/services/" + c.getName());
  }
}
