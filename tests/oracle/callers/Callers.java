// SPDX-License-Identifier: Apache-2.0
// Unchanged callers of every public member of a library, and what a JVM says of
// each with the old and with the new library below it.
//   Callers OLD.jar NEW.jar OUT MOST
// OUT/classes gets a caller a class of OLD: a method a public member (its method
// handle as a constant: resolving it runs nothing), one that creates an object,
// and one that links and initializes an empty subclass or implementation. At most
// MOST methods, those of classes that differ first. OUT/answers gets a line a
// method: caller, what it names, its outcome with OLD and with NEW, and which
// classes were loaded and looked for in vain with OLD: what a row would say.
package callers;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

final class Callers {
  private static final int SECONDS = 10;  // for one method

  private record Library(Path jar, Map<String, byte[]> classes) {
    // As a JVM of this release sees the archive.
    static Library read(Path path) throws IOException {
      Map<String, byte[]> classes = new TreeMap<>();
      try (JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, Runtime.version())) {
        var entries = jar.versionedStream().filter(e -> e.getName().endsWith(".class")).toList();
        for (var entry : entries) {
          String name = entry.getName().substring(0, entry.getName().length() - 6);
          if (name.endsWith("-info")) continue;
          try (var in = jar.getInputStream(entry)) {
            classes.put(name, in.readAllBytes());
          }
        }
      }
      return new Library(path, classes);
    }
  }

  // One question.
  private record Ask(String caller, String method, String about) {}

  // The library below the callers, afresh for each question.
  private static final class World extends ClassLoader {
    final TreeSet<String> loaded = new TreeSet<>();
    final TreeSet<String> missed = new TreeSet<>();
    private final Library library;
    private final Map<String, byte[]> callers;

    World(Library library, Map<String, byte[]> callers) {
      super(ClassLoader.getPlatformClassLoader());
      this.library = library;
      this.callers = callers;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      String path = name.replace('.', '/');
      byte[] bytes = callers.getOrDefault(path, library.classes().get(path));
      synchronized (loaded) {
        (bytes == null ? missed : loaded).add(name);
      }
      if (bytes == null) throw new ClassNotFoundException(name);
      return defineClass(name, bytes, 0, bytes.length);
    }

    @Override
    protected URL findResource(String name) {
      try {
        return new URL("jar:" + library.jar().toUri() + "!/" + name);
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final Map<String, byte[]> callers = new HashMap<>();
  private final List<Ask> asks = new ArrayList<>();

  private static ClassWriter type(String name, String superName, String... interfaces) {
    ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    out.visit(Opcodes.V11, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, superName, interfaces);
    return out;
  }

  private void method(ClassWriter out, String caller, String name, String about, Object constant, String made) {
    MethodVisitor m = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, name, "()V", null, null);
    m.visitCode();
    if (made == null) {
      m.visitLdcInsn(constant);
    } else {
      m.visitTypeInsn(Opcodes.NEW, made);
    }
    m.visitInsn(Opcodes.POP);
    m.visitInsn(Opcodes.RETURN);
    m.visitMaxs(0, 0);
    m.visitEnd();
    asks.add(new Ask(caller, name, about));
  }

  private static boolean open(int access) {
    return (access & Opcodes.ACC_PUBLIC) != 0;
  }

  private static Handle handle(ClassNode c, MethodNode m) {
    boolean itf = (c.access & Opcodes.ACC_INTERFACE) != 0;
    int tag = m.name.equals("<init>") ? Opcodes.H_NEWINVOKESPECIAL
        : (m.access & Opcodes.ACC_STATIC) != 0 ? Opcodes.H_INVOKESTATIC
        : itf ? Opcodes.H_INVOKEINTERFACE : Opcodes.H_INVOKEVIRTUAL;
    return new Handle(tag, c.name, m.name, m.desc, itf);
  }

  // An empty subclass or implementation; null: nobody can write one.
  private static byte[] below(ClassNode c, String name) {
    boolean itf = (c.access & Opcodes.ACC_INTERFACE) != 0;
    if ((c.access & (Opcodes.ACC_FINAL | Opcodes.ACC_ANNOTATION | Opcodes.ACC_ENUM)) != 0 || c.permittedSubclasses != null) return null;
    ClassWriter out = itf ? type(name, "java/lang/Object", c.name) : type(name, c.name);
    if (itf) return out.toByteArray();
    boolean made = c.methods.stream().anyMatch(m -> m.name.equals("<init>") && (m.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0);
    return made ? out.toByteArray() : null;
  }

  private void callersOf(ClassNode c, int number) {
    String caller = "callers/K" + number;
    ClassWriter out = type(caller, "java/lang/Object");
    String of = c.name.replace('/', '.');
    method(out, caller, "literal", of, Type.getObjectType(c.name), null);
    method(out, caller, "made", "new " + of, null, c.name);
    int n = 0;
    for (MethodNode m : c.methods) {
      if (!open(m.access) || m.name.equals("<clinit>")) continue;
      if (m.name.equals("<init>") && (c.access & Opcodes.ACC_ABSTRACT) != 0) continue;
      method(out, caller, "m" + n++, of + "." + m.name + m.desc, handle(c, m), null);
    }
    for (FieldNode f : c.fields) {
      if (!open(f.access)) continue;
      boolean constant = (f.access & Opcodes.ACC_STATIC) != 0;
      boolean itf = (c.access & Opcodes.ACC_INTERFACE) != 0;
      Handle get = new Handle(constant ? Opcodes.H_GETSTATIC : Opcodes.H_GETFIELD, c.name, f.name, f.desc, itf && constant);
      method(out, caller, "f" + n++, of + "." + f.name, get, null);
      if ((f.access & Opcodes.ACC_FINAL) != 0) continue;
      Handle put = new Handle(constant ? Opcodes.H_PUTSTATIC : Opcodes.H_PUTFIELD, c.name, f.name, f.desc, false);
      method(out, caller, "f" + n++, of + "." + f.name + " =", put, null);
    }
    String sub = "callers/S" + number;
    byte[] bytes = below(c, sub);
    if (bytes != null) {
      callers.put(sub, bytes);
      method(out, caller, "below", "a subclass of " + of, null, sub);
    }
    callers.put(caller, out.toByteArray());
  }

  // Changed classes first, and of each half an even sample: the same in every run.
  private void generate(Library old, Library is, int most) {
    List<ClassNode> changed = new ArrayList<>();
    List<ClassNode> others = new ArrayList<>();
    old.classes().forEach((name, bytes) -> {
      ClassNode node = new ClassNode();
      new ClassReader(bytes).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      if (!open(node.access) || !node.name.equals(name)) return;
      (Arrays.equals(bytes, is.classes().get(name)) ? others : changed).add(node);
    });
    int number = 0;
    for (List<ClassNode> list : List.of(changed, others)) {
      int members = list.stream().mapToInt(c -> c.methods.size() + c.fields.size() + 3).sum();
      int step = Math.max(1, (members + most - 1) / most);
      for (int i = 0; i < list.size() && asks.size() < most; i += step) callersOf(list.get(i), number++);
    }
  }

  private static String outcome(World world, Ask ask) {
    try {
      Class<?> caller = Class.forName(ask.caller().replace('/', '.'), true, world);
      caller.getMethod(ask.method()).invoke(null);
      return "ok";
    } catch (java.lang.reflect.InvocationTargetException e) {
      return e.getCause().getClass().getSimpleName();
    } catch (LinkageError e) {
      return e.getClass().getSimpleName();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(ask.toString(), e);
    }
  }

  private static String asked(ExecutorService threads, Callable<String> question) throws InterruptedException {
    Future<String> answer = threads.submit(question);
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return "hangs";
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  public static void main(String[] args) throws Exception {
    Library old = Library.read(Path.of(args[0]));
    Library is = Library.read(Path.of(args[1]));
    Path out = Path.of(args[2]);
    Callers all = new Callers();
    all.generate(old, is, Integer.parseInt(args[3]));
    for (var one : all.callers.entrySet()) {
      Path file = out.resolve("classes/" + one.getKey() + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, one.getValue());
    }
    ExecutorService threads = Executors.newCachedThreadPool(r -> {
      Thread t = new Thread(r);
      t.setDaemon(true);
      return t;
    });
    // What libraries print while they are initialized is not asked for.
    var stdout = System.out;
    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    System.setErr(System.out);
    int differ = 0;
    try (PrintWriter to = new PrintWriter(Files.newBufferedWriter(out.resolve("answers"), StandardCharsets.UTF_8))) {
      for (Ask ask : all.asks) {
        World before = new World(old, all.callers);
        String was = asked(threads, () -> outcome(before, ask));
        World after = new World(is, all.callers);
        String now = asked(threads, () -> outcome(after, ask));
        if (!was.equals(now)) ++differ;
        synchronized (before.loaded) {
          to.println(String.join("\t", ask.caller().replace('/', '.'), ask.method(), ask.about(), was, now,
              String.join(",", before.loaded), String.join(",", before.missed)));
        }
      }
    }
    stdout.println(all.asks.size() + " " + differ);
    stdout.flush();
    Runtime.getRuntime().halt(0);
  }
}
