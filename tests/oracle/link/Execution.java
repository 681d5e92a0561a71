// SPDX-License-Identifier: Apache-2.0
package link;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Puts the questions of one hierarchy to the running JVM; one line of JSON each. */
final class Execution {
  private static final Set<String> STATIC_OPS = Set.of("new", "construct", "getstatic", "putstatic", "invokestatic");

  private final int number;
  private final String dir;
  private final Hierarchy h;
  private final Map<String, byte[]> bytes;
  private final Consumer<String> lines;
  private Loader loader;

  /** Knows the classes of one hierarchy only; everything else comes from the platform and this program. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> bytes;
    final Map<String, Object> instances = new HashMap<>();

    Loader(Map<String, byte[]> bytes) {
      super(Execution.class.getClassLoader());
      this.bytes = bytes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] b = bytes.get(name.replace('.', '/'));
      if (b == null) throw new ClassNotFoundException(name);
      return defineClass(name, b, 0, b.length);
    }
  }

  Execution(int number, String dir, Hierarchy h, Map<String, byte[]> bytes, Consumer<String> lines) {
    this.number = number;
    this.dir = dir;
    this.h = h;
    this.bytes = bytes;
    this.lines = lines;
  }

  void run() {
    loader = new Loader(bytes);
    Map<String, Class<?>> linked = new HashMap<>();
    for (Hierarchy.Type t : h.types) {
      String answer = "ok";
      String message = null;
      try {
        Class<?> k = load(loader, t.name);
        k.getDeclaredFields(); // links in HotSpot
        linked.put(t.name, k);
      } catch (Throwable e) {
        answer = "!" + e.getClass().getSimpleName();
        message = e.getMessage();
      }
      if (!t.caller) line(h.baited(t.name) ? "verify" : "link", null, t.name, null, null, false, null, answer, null, message);
    }
    for (Hierarchy.Type t : h.types) {
      if (!t.caller && linked.containsKey(t.name)) initialize(t);
    }
    for (Hierarchy.Type t : h.types) {
      if (!linked.containsKey(t.name)) continue;
      for (Hierarchy.Query q : t.queries) {
        if (q.receiver() == null || linked.containsKey(q.receiver())) ask(q);
      }
    }
  }

  private static Class<?> load(Loader l, String name) throws Throwable {
    return Class.forName(name.replace('/', '.'), false, l);
  }

  private void initialize(Hierarchy.Type t) {
    Loader fresh = new Loader(bytes);
    Log.initialized = new ArrayList<>();
    String answer = "ok";
    String message = null;
    try {
      Class.forName(t.name.replace('/', '.'), true, fresh);
    } catch (Throwable e) {
      answer = "!" + e.getClass().getSimpleName();
      message = e.getMessage();
    }
    line("init", null, t.name, null, null, false, null, answer, Log.initialized, message);
  }

  private void ask(Hierarchy.Query q) {
    boolean trigger = STATIC_OPS.contains(q.op());
    Loader l = trigger ? new Loader(bytes) : loader;
    String answer;
    String message = null;
    try {
      Class<?> from = Class.forName(q.from().replace('/', '.'), true, l);
      Object receiver = q.receiver() == null ? null
          : q.op().equals("putfield") ? instance(l, q.receiver())
          : instanceOnce(l, q.receiver());
      Method m = from.getDeclaredMethod("q" + q.number(), Object.class);
      m.setAccessible(true);
      Log.initialized = new ArrayList<>();
      Log.constructed = null;
      try {
        answer = answer(q, m.invoke(null, receiver), receiver, l);
      } catch (InvocationTargetException e) {
        answer = "!" + e.getCause().getClass().getSimpleName();
        message = e.getCause().getMessage();
      }
    } catch (Throwable e) {
      throw new IllegalStateException("case " + number + " " + q, e);
    }
    line(q.op(), q.from(), q.owner(), q.name(), q.desc(), q.itf(), q.receiver(), answer,
        trigger ? Log.initialized : null, message);
  }

  private String answer(Hierarchy.Query q, Object result, Object receiver, Loader l) throws Throwable {
    switch (q.op()) {
      case "invokevirtual", "invokeinterface", "invokespecial", "invokestatic", "getfield", "getstatic" -> {
        return String.valueOf(result);
      }
      case "putfield", "putstatic" -> {
        List<String> seen = new ArrayList<>(Log.initialized);
        String hit = written(q.name(), receiver, l);
        Log.initialized = seen;
        return hit;
      }
      case "construct" -> {
        return Log.constructed;
      }
      case "instanceof" -> {
        return result.equals("1") ? "true" : "false";
      }
      default -> {
        return "ok";
      }
    }
  }

  /** The field that now holds what was written: of the receiver's classes, or static of any. */
  private String written(String name, Object receiver, Loader l) throws Throwable {
    for (Hierarchy.Type t : h.types) {
      Class<?> k;
      try {
        k = load(l, t.name);
        k.getDeclaredFields();
      } catch (LinkageError e) {
        continue;
      }
      for (Field f : k.getDeclaredFields()) {
        boolean isStatic = Modifier.isStatic(f.getModifiers());
        if (!f.getName().equals(name) || isStatic != (receiver == null)) continue;
        if (!isStatic && !k.isInstance(receiver)) continue;
        f.setAccessible(true);
        if (Bytes.WRITTEN.equals(f.get(receiver))) return t.name + "." + name + ":" + Hierarchy.FIELD_DESC;
      }
    }
    return "nowhere";
  }

  private static Object instanceOnce(Loader l, String name) throws Throwable {
    Object known = l.instances.get(name);
    if (known == null) l.instances.put(name, known = instance(l, name));
    return known;
  }

  private static Object instance(Loader l, String name) throws Throwable {
    Constructor<?> c = load(l, name).getDeclaredConstructor(Void.class);
    c.setAccessible(true);
    return c.newInstance((Object) null);
  }

  private void line(String op, String from, String owner, String name, String desc, boolean itf, String receiver,
      String answer, List<String> init, String message) {
    StringBuilder b = new StringBuilder(256);
    b.append("{\"case\":").append(number).append(",\"jvm\":").append(Runtime.version().feature());
    b.append(",\"dir\":").append(quote(dir)).append(",\"query\":{\"op\":").append(quote(op));
    b.append(",\"from\":").append(quote(from)).append(",\"owner\":").append(quote(owner));
    b.append(",\"name\":").append(quote(name)).append(",\"desc\":").append(quote(desc));
    b.append(",\"itf\":").append(itf).append(",\"receiver\":").append(quote(receiver));
    b.append("},\"answer\":").append(quote(answer)).append(",\"init\":");
    if (init == null) {
      b.append("null");
    } else {
      b.append('[');
      for (int i = 0; i < init.size(); i++) b.append(i > 0 ? "," : "").append(quote(init.get(i)));
      b.append(']');
    }
    lines.accept(b.append(",\"message\":").append(quote(message)).append('}').toString());
  }

  static String quote(String textOrNull) {
    if (textOrNull == null) return "null";
    StringBuilder b = new StringBuilder("\"");
    for (char c : textOrNull.toCharArray()) {
      if (c == '"' || c == '\\') b.append('\\').append(c);
      else if (c < 0x20) b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    }
    return b.append('"').toString();
  }
}
