// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** The cases that need more than compiling two versions: jars with manifests, modules, generated classes, streams, native code. */
final class Scripts {
  private Scripts() {}

  /** Why a case is not automated, or null. */
  static String notAutomated(CaseFile.Case c) {
    return c.tag("script").startsWith("note") ? c.tag("script") : null;
  }

  static Prepared prepare(CaseFile.Case c, Lab lab, Path dir) throws IOException, Lab.Unavailable {
    String[] script = c.tag("script").split(" ");
    switch (script[0]) {
      case "":
        return lab.prepare(c, dir, Generated.NONE);
      case "bsm":
        return lab.prepare(c, dir, v -> Map.of("U", Generated.indy()));
      case "condy":
        return lab.prepare(c, dir, v -> Map.of("U", Generated.condy(v.equals("v1") ? "one" : "two")));
      case "cv53":
        return lab.prepare(c, dir, v -> Map.of("A", Generated.finalWriter(v.equals("v1") ? 52 : 53)));
      case "nest": {
        Prepared p = lab.prepare(c, dir, Generated.NONE);
        Path f = dir.resolve("new/O.class");
        Files.write(f, withoutNestMembers(Files.readAllBytes(f)));
        return p;
      }
      case "inline-values": { // of that version
        Prepared p = lab.prepare(c, dir, Generated.NONE);
        OtherCompilers.inlineValues(dir.resolve(script[1]));
        return p;
      }
      case "convert-late": {
        Prepared p = lab.prepare(c, dir, Generated.NONE);
        OtherCompilers.convertLate(dir.resolve(script[1]));
        return p;
      }
      case "caller": { // one source is compiled against the new version and used in both
        CaseFile.Case rest = copy(c);
        rest.files.remove(script[1]);
        Prepared p = lab.prepare(rest, dir, Generated.NONE);
        Path now = dir.resolve("new");
        Lab.write(dir.resolve("src-new").resolve(script[1]), c.version('+').get(script[1]));
        List<Path> cp = new ArrayList<>(lab.junit);
        cp.add(now);
        lab.compile(c, "v2", dir.resolve("src-new"), List.of(script[1]), now, cp);
        String cls = script[1].replace(".java", ".class");
        Files.createDirectories(dir.resolve("old").resolve(cls).getParent());
        Files.copy(now.resolve(cls), dir.resolve("old").resolve(cls));
        return p;
      }
      case "stream": { // a.ser: an instance of the old class, in both versions
        Prepared p = lab.prepare(c, dir, Generated.NONE);
        String a = lab.worker(p.oldJdk).ask("serialize", dir.resolve("old").toString(), script[1], dir.resolve("old/a.ser").toString());
        if (!a.equals("ok")) throw new IOException(a);
        Files.copy(dir.resolve("old/a.ser"), dir.resolve("new/a.ser"));
        return p;
      }
      case "native": {
        Prepared p = lab.prepare(c, dir, Generated.NONE);
        for (String v : List.of("old", "new")) {
          Lab.write(dir.resolve("src-" + v).resolve(script[1]), c.version(v.equals("old") ? '-' : '+').get(script[1]));
          native_(lab.running.home(), dir.resolve("src-" + v).resolve(script[1]), dir.resolve(v).resolve(script[2]));
        }
        return p;
      }
      case "jar":
        return jars(c, lab, dir);
      case "modules":
        return modules(c, lab, dir, Arrays.asList(script).subList(1, script.length));
      default:
        throw new IOException("no such script: " + script[0]);
    }
  }

  private static CaseFile.Case copy(CaseFile.Case c) {
    CaseFile.Case r = new CaseFile.Case();
    r.id = c.id;
    r.tags.putAll(c.tags);
    r.files.putAll(c.files);
    return r;
  }

  private static byte[] withoutNestMembers(byte[] bytes) {
    ClassWriter out = new ClassWriter(0);
    new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9, out) {
      @Override public void visitNestMember(String name) {}
    }, 0);
    return out.toByteArray();
  }

  private static void native_(Path jdk, Path source, Path library) throws IOException, Lab.Unavailable {
    Process p;
    try {
      p = new ProcessBuilder("cc", "-shared", "-fPIC", "-I" + jdk.resolve("include"), "-I" + jdk.resolve("include/linux"), "-o", library.toString(), source.toString())
          .redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new Lab.Unavailable("needs a C compiler");
    }
    String said = new String(p.getInputStream().readAllBytes());
    try {
      if (p.waitFor() != 0) throw new IOException("cc: " + said);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** The sources below `x.jar/` become x.jar, those below META-INF/versions/N the version entries of app.jar, the rest its base entries. */
  private static Prepared jars(CaseFile.Case c, Lab lab, Path dir) throws IOException, Lab.Unavailable {
    Lab.delete(dir);
    Prepared p = lab.jdks(c, new Prepared(dir));
    for (String v : List.of("old", "new")) {
      boolean old = v.equals("old");
      Map<String, String> files = c.version(old ? '-' : '+');
      Map<String, Map<String, String>> groups = new TreeMap<>();
      for (var e : files.entrySet()) {
        if (!e.getKey().endsWith(".java")) continue;
        int jar = e.getKey().indexOf(".jar/");
        String group = jar > 0 ? e.getKey().substring(0, jar + 5) : e.getKey().startsWith("META-INF/versions/") ? e.getKey().substring(0, e.getKey().lastIndexOf('/') + 1) : "";
        groups.computeIfAbsent(group, k -> new TreeMap<>()).put(e.getKey().substring(group.length()), e.getValue());
      }
      for (var g : groups.entrySet()) {
        Path src = dir.resolve("src-" + v).resolve(g.getKey());
        for (var e : g.getValue().entrySet()) Lab.write(src.resolve(e.getKey()), e.getValue());
        Path out = dir.resolve("classes-" + v).resolve(g.getKey());
        Files.createDirectories(out);
        String tag = g.getKey().startsWith("META-INF/versions/") ? g.getKey().split("/")[2] : "";
        CaseFile.Case release = copy(c);
        if (!tag.isEmpty()) release.tags.put("release", tag);
        lab.compile(release, old ? "v1" : "v2", src, g.getValue().keySet(), out, lab.junit);
      }
      Path app = dir.resolve(v);
      Files.createDirectories(app);
      Manifest m = new Manifest();
      m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      for (String l : files.getOrDefault("META-INF/MANIFEST.MF", "").split("\n")) {
        int colon = l.indexOf(": ");
        if (colon > 0) m.getMainAttributes().putValue(l.substring(0, colon), l.substring(colon + 2));
      }
      Set<String> others = new TreeSet<>();
      for (String g : groups.keySet()) if (g.endsWith(".jar/")) others.add(g);
      for (String g : others) pack(dir.resolve("classes-" + v).resolve(g), app.resolve(g.substring(0, g.length() - 1)), null, Set.of());
      pack(dir.resolve("classes-" + v), app.resolve("app.jar"), m, others);
      (old ? p.oldRoots : p.newRoots).add(app.resolve("app.jar"));
    }
    return p;
  }

  private static void pack(Path from, Path jar, Manifest manifest, Set<String> without) throws IOException {
    try (JarOutputStream out = manifest == null ? new JarOutputStream(Files.newOutputStream(jar)) : new JarOutputStream(Files.newOutputStream(jar), manifest);
        var walk = Files.walk(from)) {
      for (Path f : walk.filter(x -> x.toString().endsWith(".class")).sorted().toList()) {
        String name = from.relativize(f).toString();
        if (without.stream().anyMatch(name::startsWith)) continue;
        JarEntry e = new JarEntry(name);
        e.setTime(0);
        out.putNextEntry(e);
        out.write(Files.readAllBytes(f));
      }
    }
  }

  /** Each module is a root of its own; the tests sit in the last one and run in a module layer. */
  private static Prepared modules(CaseFile.Case c, Lab lab, Path dir, List<String> names) throws IOException, Lab.Unavailable {
    Lab.delete(dir);
    Prepared p = lab.jdks(c, new Prepared(dir));
    p.modular = true;
    for (String v : List.of("old", "new")) {
      Map<String, String> files = c.version(v.equals("old") ? '-' : '+');
      List<Path> roots = new ArrayList<>();
      for (String name : names) {
        Path src = dir.resolve("src-" + v);
        Path out = dir.resolve(v).resolve(name);
        Files.createDirectories(out);
        List<String> sources = new ArrayList<>();
        boolean stale = false;
        for (var e : files.entrySet()) {
          if (!e.getKey().startsWith(name + "/")) continue;
          Lab.write(src.resolve(e.getKey()), e.getValue());
          sources.add(e.getKey().substring(name.length() + 1));
          stale |= v.equals("new") && c.stale().contains(e.getKey());
        }
        if (stale) {
          copyTree(dir.resolve("old").resolve(name), out);
        } else {
          CaseFile.Case opts = copy(c);
          String path = roots.isEmpty() ? "" : "--module-path " + Lab.join(roots) + " ";
          opts.tags.put("opts", path + "--add-reads " + name + "=ALL-UNNAMED");
          lab.compile(opts, v.equals("old") ? "v1" : "v2", src.resolve(name), sources, out, lab.junit);
        }
        roots.add(out);
      }
      (v.equals("old") ? p.oldRoots : p.newRoots).addAll(roots);
    }
    return p;
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (var walk = Files.walk(from)) {
      for (Path f : walk.filter(Files::isRegularFile).toList()) {
        Path t = to.resolve(from.relativize(f).toString());
        Files.createDirectories(t.getParent());
        Files.copy(f, t);
      }
    }
  }
}
