// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One thread's tools: a worker JVM of each JDK, and the steps from the text of a case to recorded rows. */
final class Lab implements AutoCloseable {
  static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1;

    Unavailable(String why) {
      super(why);
    }
  }

  final Jdks.Jdk running;
  final Jdks.Jdk jdk25;
  final List<Path> junit;
  private final Path ecjDir;
  /** Rows also say which control-flow edges were taken. */
  boolean edges;
  private final WorkerProcess main;
  private final WorkerProcess other;

  Lab(Path dir, WorkerProcess shared25, Jdks.Jdk jdk25, Path ecjDir) throws IOException {
    this.running = Jdks.running();
    this.jdk25 = jdk25;
    this.ecjDir = ecjDir;
    this.main = new WorkerProcess(running, dir, List.of());
    this.other = shared25;
    this.junit = new ArrayList<>();
    for (String p : System.getProperty("java.class.path").split(":")) {
      String name = Path.of(p).getFileName().toString();
      if (name.startsWith("junit-") || name.startsWith("hamcrest-")) junit.add(Path.of(p).toAbsolutePath());
    }
  }

  WorkerProcess worker(Jdks.Jdk jdk) throws Unavailable {
    if (jdk == null) throw new Unavailable("needs JDK 25");
    return jdk.equals(running) ? main : other;
  }

  Prepared jdks(CaseFile.Case c, Prepared p) throws Unavailable {
    p.oldJdk = p.newJdk = c.tag("run").equals("25") ? jdk25 : running;
    if (c.tag("v2run").equals("25")) p.newJdk = jdk25;
    if (p.oldJdk == null || p.newJdk == null) throw new Unavailable("needs JDK 25");
    return p;
  }

  Prepared prepare(CaseFile.Case c, Path dir, Generated generated) throws IOException, Unavailable {
    delete(dir);
    Prepared p = jdks(c, new Prepared(dir));
    Set<String> stale = c.stale();
    Map<String, String> before = c.version('-');
    Map<String, String> after = c.version('+');
    build(c, "v1", before, dir, "old", Set.of(), generated.classes("v1"));
    build(c, "v2", after, dir, "new", stale, generated.classes("v2"));
    for (String f : c.tag("v1delete").split(",")) {
      if (!f.isBlank()) Files.delete(dir.resolve("old").resolve(f.trim()));
    }
    p.oldRoots.add(dir.resolve("old"));
    p.newRoots.add(dir.resolve("new"));
    if (Files.isDirectory(dir.resolve("lib-old"))) p.oldLib.add(dir.resolve("lib-old"));
    if (Files.isDirectory(dir.resolve("lib-new"))) p.newLib.add(dir.resolve("lib-new"));
    return p;
  }

  private void build(CaseFile.Case c, String v, Map<String, String> files, Path dir, String name, Set<String> stale, Map<String, byte[]> generated)
      throws IOException, Unavailable {
    Path src = dir.resolve("src-" + name);
    Path out = dir.resolve(name);
    Path lib = dir.resolve("lib-" + name);
    Files.createDirectories(out);
    Map<String, String> own = new TreeMap<>();
    Map<String, String> libs = new TreeMap<>();
    for (var e : files.entrySet()) {
      String path = e.getKey();
      if (path.startsWith("res/")) {
        write(out.resolve(path.substring(4)), e.getValue());
      } else if (path.endsWith(".java")) {
        write(src.resolve(path), e.getValue());
        if (path.startsWith("lib/")) libs.put(path, e.getValue());
        else if (!stale.contains(path) && !generated.containsKey(path.replace(".java", ""))) own.put(path, e.getValue());
      }
    }
    List<Path> cp = new ArrayList<>();
    if (!stale.isEmpty()) cp.add(keep(dir, out, stale));
    for (var g : generated.entrySet()) Files.write(out.resolve(g.getKey() + ".class"), g.getValue());
    if (!generated.isEmpty()) cp.add(out);
    if (!libs.isEmpty()) {
      Files.createDirectories(lib);
      compile(c, v, src, libs.keySet(), lib, junit);
    }
    if (Files.isDirectory(lib)) cp.add(lib);
    cp.addAll(junit);
    if (!own.isEmpty()) compile(c, v, src, own.keySet(), out, cp);
  }

  /** The old class files of sources that are not compiled again: part of the new version, and on its compile class path without the rest. */
  private static Path keep(Path dir, Path out, Set<String> stale) throws IOException {
    Path kept = dir.resolve("stale");
    Files.createDirectories(kept);
    for (String line : Files.readAllLines(dir.resolve("old" + Javac.ORIGINS))) {
      String[] f = line.split("\t");
      if (!stale.contains(f[0])) continue;
      for (Path to : List.of(kept, out)) {
        Files.createDirectories(to.resolve(f[1]).getParent());
        Files.copy(dir.resolve("old").resolve(f[1]), to.resolve(f[1]));
      }
    }
    return kept;
  }

  void compile(CaseFile.Case c, String v, Path src, Iterable<String> sources, Path out, List<Path> cp) throws IOException, Unavailable {
    String release = !c.tag(v + "release").isEmpty() ? c.tag(v + "release") : !c.tag("release").isEmpty() ? c.tag("release") : "17";
    String jc = c.tag(v + "jc");
    Jdks.Jdk jdk = running;
    String ecj = "";
    if (jc.startsWith("ecj")) {
      String digits = jc.replaceAll("[^0-9]", "");
      Path jar = null;
      if (ecjDir != null && Files.isDirectory(ecjDir)) {
        try (var l = Files.list(ecjDir)) {
          jar = l.filter(x -> x.getFileName().toString().matches("ecj-.*\\.jar") && x.getFileName().toString().replaceAll("[^0-9]", "").startsWith(digits)).sorted().findFirst().orElse(null);
        }
      }
      if (jar == null) throw new Unavailable("needs compiler " + jc);
      ecj = jar.toString();
    } else if (jc.equals("javac25") || Integer.parseInt(release) > running.feature()) {
      jdk = jdk25;
    } else if (!jc.isEmpty() && !jc.equals("javac17")) {
      throw new Unavailable("needs compiler " + jc);
    }
    StringBuilder opts = new StringBuilder();
    if (jdk == null || jdk.feature() != Integer.parseInt(release) || !ecj.isEmpty()) opts.append("--release ").append(release).append(' ');
    opts.append(c.tag("opts")).append(' ').append(c.tag(v + "opts"));
    List<String> cps = new ArrayList<>();
    for (Path p : cp) cps.add(p.toString());
    String a = worker(jdk).ask("compile", ecj, src.toString(), String.join(" ", sources), out.toString(), String.join(":", cps), opts.toString().trim());
    if (!a.equals("ok")) throw new IOException(c.id + " " + v + " does not compile: " + a);
  }

  /** Runs one version; a crash of the JVM is the outcome of all its tests. */
  Map<String, TestRun.Row> run(Prepared p, boolean old) throws IOException, Unavailable {
    List<Path> roots = old ? p.oldRoots : p.newRoots;
    List<Path> lib = old ? p.oldLib : p.newLib;
    Path out = p.dir.resolve(old ? "old.run" : "new.run");
    String a = worker(old ? p.oldJdk : p.newJdk).ask("run", (old ? "record" : "plain") + (edges ? " edges" : "") + (p.modular ? " modular" : ""), join(roots), join(lib), out.toString());
    if (a.equals("ok")) return TestRun.read(out);
    throw new IOException((old ? "old" : "new") + " run: " + a);
  }

  static String join(List<Path> paths) {
    List<String> s = new ArrayList<>();
    for (Path p : paths) s.add(p.toString());
    return String.join(":", s);
  }

  static void write(Path f, String text) throws IOException {
    Files.createDirectories(f.getParent());
    Files.writeString(f, text);
  }

  static void delete(Path dir) throws IOException {
    if (!Files.exists(dir)) return;
    try (var w = Files.walk(dir)) {
      for (Path p : w.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
    }
  }

  @Override public void close() {
    main.close();
  }
}
