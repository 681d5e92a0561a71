// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

/** The compiler of the running JDK (or an ecj jar), in process. Remembers which source each class file came from. */
final class Javac {
  /** Written beside the classes: one line per class file, `source TAB class file`. */
  static final String ORIGINS = ".origins";

  private final JavaCompiler compiler;
  private final StandardJavaFileManager standard;

  Javac(JavaCompiler compiler) {
    this.compiler = compiler;
    this.standard = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
  }

  static Javac system() {
    return new Javac(ToolProvider.getSystemJavaCompiler());
  }

  static Javac ecj(Path jar) throws ReflectiveOperationException, IOException {
    var loader = new java.net.URLClassLoader(new java.net.URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    return new Javac((JavaCompiler) loader.loadClass("org.eclipse.jdt.internal.compiler.tool.EclipseCompiler").getDeclaredConstructor().newInstance());
  }

  /** Null when it worked, else the compiler's messages. */
  String compile(Path sourceRoot, List<String> sources, Path out, List<Path> classPath, List<String> options) throws IOException {
    Map<String, String> text = new TreeMap<>();
    for (String s : sources) text.put(s, Files.readString(sourceRoot.resolve(s)));
    Map<String, byte[]> classes = new TreeMap<>();
    Map<String, String> origins = new TreeMap<>();
    String error = compile(text, classPath, options, classes, origins);
    if (error != null) return error;
    StringBuilder list = new StringBuilder();
    for (var e : classes.entrySet()) {
      Path f = out.resolve(e.getKey());
      Files.createDirectories(f.getParent());
      Files.write(f, e.getValue());
    }
    for (var e : origins.entrySet()) list.append(e.getValue()).append('\t').append(e.getKey()).append('\n');
    Files.createDirectories(out.getParent());
    Files.writeString(out.resolveSibling(out.getFileName() + ORIGINS), list);
    return null;
  }

  String compile(Map<String, String> sources, List<Path> classPath, List<String> options, Map<String, byte[]> classes, Map<String, String> origins) throws IOException {
    List<Source> units = new ArrayList<>();
    for (var e : sources.entrySet()) units.add(new Source(e.getKey(), e.getValue()));
    List<File> cp = new ArrayList<>();
    for (Path p : classPath) cp.add(p.toFile());
    standard.setLocation(StandardLocation.CLASS_PATH, cp);
    standard.setLocation(StandardLocation.SOURCE_PATH, List.of());
    List<String> all = new ArrayList<>(List.of("-proc:none", "-nowarn"));
    all.addAll(options);
    DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
    StringWriter extra = new StringWriter();
    try (Manager m = new Manager(standard, classes, origins)) {
      boolean ok = compiler.getTask(extra, m, messages, all, null, units).call();
      if (ok) return null;
    }
    StringBuilder b = new StringBuilder();
    for (var d : messages.getDiagnostics()) {
      if (d.getKind() == javax.tools.Diagnostic.Kind.ERROR) b.append(d).append('\n');
    }
    return b.append(extra).append("compilation failed").toString();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String path;
    private final String text;

    Source(String path, String text) {
      super(URI.create("mem:///" + path), Kind.SOURCE);
      this.path = path;
      this.text = text;
    }

    @Override public CharSequence getCharContent(boolean ignore) {
      return text;
    }
  }

  private static final class Manager extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, byte[]> classes;
    private final Map<String, String> origins;

    Manager(JavaFileManager next, Map<String, byte[]> classes, Map<String, String> origins) {
      super(next);
      this.classes = classes;
      this.origins = origins;
    }

    @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
      String file = name.replace('.', '/') + kind.extension;
      String origin = sibling == null ? "" : sibling.toUri().getPath().substring(1);
      return new SimpleJavaFileObject(URI.create("mem:///" + file), kind) {
        @Override public java.io.OutputStream openOutputStream() {
          return new java.io.ByteArrayOutputStream() {
            @Override public void close() {
              classes.put(file, toByteArray());
              origins.put(file, origin);
            }
          };
        }
      };
    }

    @Override public FileObject getFileForOutput(Location l, String pkg, String name, FileObject sibling) throws IOException {
      throw new IOException("no other output");
    }

    @Override public boolean contains(Location l, FileObject f) throws IOException {
      return f instanceof Source || super.contains(l, f);
    }

    @Override public boolean isSameFile(FileObject a, FileObject b) {
      return a == b || a.toUri().equals(b.toUri());
    }

    @Override public void close() {
      // The standard manager is kept for the next compilation.
    }
  }
}
