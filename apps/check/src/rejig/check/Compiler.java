// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The compiler of the running JDK, for many programs at once: those that do not compile, or that the compiler crashes of, are left out and the others compiled. Not for several threads. */
final class Compiler {
  private final JavaCompiler compiler;
  private final StandardJavaFileManager standard;
  private final List<Path> libraries;

  Compiler(List<Path> libraries) {
    this.compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) throw new IllegalStateException("this Java has no compiler; JAVA_HOME must be a JDK");
    this.standard = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    this.libraries = libraries;
  }

  /** Class files by the source they come from. */
  record Classes(Map<String, List<String>> bySource, Map<String, String> failed) {}

  /**
   * Writes the class files of {@code programs} (name to path to text) to {@code out}, whose class files are visible to them. {@code failed} says of each program that does
   * not compile the first message.
   */
  Classes compile(Map<String, Map<String, String>> programs, Path out) throws IOException {
    try {
      return together(programs, out);
    } catch (IllegalStateException | AssertionError crash) {
      return programs.size() == 1 ? new Classes(Map.of(), Map.of(programs.keySet().iterator().next(), "the compiler crashed: " + crash)) : each(programs, out);
    }
  }

  /** One by one: a compiler that crashes says nothing about the program that it was at. */
  private Classes each(Map<String, Map<String, String>> programs, Path out) throws IOException {
    Map<String, List<String>> bySource = new TreeMap<>();
    Map<String, String> failed = new TreeMap<>();
    for (var p : programs.entrySet()) {
      Classes one = compile(Map.of(p.getKey(), p.getValue()), out);
      bySource.putAll(one.bySource());
      failed.putAll(one.failed());
    }
    return new Classes(bySource, failed);
  }

  private Classes together(Map<String, Map<String, String>> programs, Path out) throws IOException {
    Map<String, Map<String, String>> left = new TreeMap<>(programs);
    Map<String, String> failed = new TreeMap<>();
    while (true) {
      List<Source> units = new ArrayList<>();
      for (var p : left.entrySet()) for (var f : p.getValue().entrySet()) units.add(new Source(p.getKey(), f.getKey(), f.getValue()));
      if (units.isEmpty()) return new Classes(Map.of(), failed);
      List<File> classPath = new ArrayList<>(List.of(out.toFile()));
      for (Path l : libraries) classPath.add(l.toFile());
      standard.setLocation(StandardLocation.CLASS_PATH, classPath);
      standard.setLocation(StandardLocation.SOURCE_PATH, List.of());
      DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
      StringWriter extra = new StringWriter();
      List<String> options = List.of("-proc:none", "-nowarn", "-Xmaxerrs", "1000000", "-XDshould-stop.ifError=FLOW");
      Manager manager = new Manager(standard);
      JavacTask task = (JavacTask) compiler.getTask(extra, manager, messages, options, null, units);
      List<Element> sound = new ArrayList<>();
      int before = left.size();
      Iterable<? extends Element> analysed = task.analyze();
      refused(messages, left, failed);
      for (Element e : analysed) if (left.containsKey(program(e))) sound.add(e);
      boolean whole = left.size() == before;
      int errors = failed.size();
      if (generate(task, whole ? null : sound)) {
        refused(messages, left, failed);
        if (failed.size() == errors && (whole || manager.hasAll(left))) return new Classes(manager.write(out), failed);
      }
      if (left.size() == before) throw new IOException("the compiler failed: " + messages.getDiagnostics() + " " + extra);
    }
  }

  /** Takes programs with errors out of those that are left. */
  private static void refused(DiagnosticCollector<JavaFileObject> messages, Map<String, Map<String, String>> left, Map<String, String> failed) {
    for (var d : messages.getDiagnostics()) {
      if (d.getKind() != javax.tools.Diagnostic.Kind.ERROR) continue;
      if (d.getSource() instanceof Source s && left.remove(s.program) != null) failed.put(s.program, s.path + ": " + d.getMessage(Locale.ROOT).split("\n")[0]);
    }
  }

  /** The program of a class: the first package. */
  private static String program(Element e) {
    String name = e.toString();
    return name.substring(0, Math.max(0, name.indexOf('.')));
  }

  /**
   * Class files of the classes {@code sound}, null: of all. No public method makes those of a part, and without them all that is sound would be analysed a second time. False:
   * this compiler does not let us.
   */
  private static boolean generate(JavacTask task, List<Element> sound) throws IOException {
    if (sound == null) {
      task.generate();
      return true;
    }
    try {
      ClassLoader loader = task.getClass().getClassLoader();
      Class<?> context = Class.forName("com.sun.tools.javac.util.Context", false, loader);
      Class<?> log = Class.forName("com.sun.tools.javac.util.Log", false, loader);
      Object its = log.getMethod("instance", context).invoke(null, task.getClass().getMethod("getContext").invoke(task));
      // Nothing is written after an error.
      log.getField("nerrors").setInt(its, 0);
      task.getClass().getMethod("generate", Iterable.class).invoke(task, sound);
      return true;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException other) {
      return false;
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String program;
    private final String path;
    private final String text;

    Source(String program, String path, String text) {
      super(URI.create("mem:///" + path), Kind.SOURCE);
      this.program = program;
      this.path = path;
      this.text = text;
    }

    @Override public CharSequence getCharContent(boolean ignore) {
      return text;
    }
  }

  private static final class Manager extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, byte[]> classes = new TreeMap<>();
    private final Map<String, String> origins = new TreeMap<>();

    Manager(JavaFileManager next) {
      super(next);
    }

    @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
      String file = name.replace('.', '/') + kind.extension;
      return new SimpleJavaFileObject(URI.create("mem:///" + file), kind) {
        @Override public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override public void close() {
              classes.put(file, toByteArray());
              origins.put(file, sibling instanceof Source s ? s.path : "");
            }
          };
        }
      };
    }

    @Override public boolean contains(Location l, FileObject f) throws IOException {
      return f instanceof Source || super.contains(l, f);
    }

    @Override public boolean isSameFile(FileObject a, FileObject b) {
      return a == b || a.toUri().equals(b.toUri());
    }

    /** A class file at least for every source of these programs. */
    boolean hasAll(Map<String, Map<String, String>> programs) {
      return programs.values().stream().allMatch(p -> origins.values().containsAll(p.keySet()));
    }

    Map<String, List<String>> write(Path out) throws IOException {
      Map<String, List<String>> bySource = new TreeMap<>();
      for (var e : classes.entrySet()) {
        Path f = out.resolve(e.getKey());
        Files.createDirectories(f.getParent());
        Files.write(f, e.getValue());
        bySource.computeIfAbsent(origins.get(e.getKey()), k -> new ArrayList<>()).add(e.getKey());
      }
      return bySource;
    }
  }
}
