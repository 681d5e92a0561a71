// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceMethodVisitor;
import rejig.check.evolve.Programs;

/** Compiles, runs and asks for one pair of versions given as source texts. */
final class Trial {
  record Verdict(String test, boolean flips, boolean full, boolean methods, boolean asked, boolean ranChanged, String was, String is, Set<String> why) {
    boolean missedF() {
      return asked && flips && !full;
    }

    boolean missedM() {
      return asked && flips && !methods;
    }

    boolean missed() {
      return missedF() || missedM();
    }
  }

  private final Lab lab;
  private final Path dir;
  private final Rejig rejig;
  private final Path library;
  private final CaseFile.Case plain = new CaseFile.Case();
  /** Why the last program or mutant was not usable. */
  String why = "";
  boolean crashed;
  boolean viaDiff;
  boolean factsOnly;
  /** Also compare with what asking every class says. */
  boolean exhaustive;
  /** Rows with control-flow edges, asked by --view edge. */
  boolean edges;
  /** Of the selection. */
  String view = "method";
  private String stored;
  /** What rejig said when it did not answer. */
  String error;

  Trial(Lab lab, Path dir, Rejig rejig) throws IOException, Lab.Unavailable {
    this.lab = lab;
    this.dir = dir;
    this.rejig = rejig;
    this.library = dir.resolve("library");
    plain.id = "random";
    Lab.delete(dir.resolve("library"));
    Lab.write(dir.resolve("src-library/rejig/ev/Ev.java"), Programs.library());
    lab.compile(plain, "v1", dir.resolve("src-library"), List.of("rejig/ev/Ev.java"), library, lab.junit);
  }

  /** Of the sources; the running JDK has to know it. */
  void release(int feature) {
    plain.tags.put("release", "" + feature);
  }

  private List<Path> external() {
    List<Path> out = new ArrayList<>(List.of(library));
    out.addAll(lab.junit);
    return out;
  }

  private boolean compile(Map<String, String> sources, Set<String> names, String version, List<Path> more) throws IOException, Lab.Unavailable {
    Path src = dir.resolve("src-" + version);
    Lab.delete(src);
    for (String f : names) Lab.write(src.resolve(f), sources.get(f));
    List<Path> cp = new ArrayList<>(more);
    cp.addAll(external());
    if (names.isEmpty()) return true;
    try {
      lab.compile(plain, version, src, names, dir.resolve(version), cp);
      return true;
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
      return false;
    }
  }

  private Prepared prepared() {
    Prepared p = new Prepared(dir);
    p.oldJdk = p.newJdk = lab.running;
    p.oldRoots.add(dir.resolve("v1"));
    p.newRoots.add(dir.resolve("v2"));
    p.oldLib.add(library);
    p.newLib.add(library);
    return p;
  }

  /** Compiles and records the old version; null when that is impossible. */
  Map<String, TestRun.Row> base(Map<String, String> sources) throws IOException, Lab.Unavailable {
    Lab.delete(dir.resolve("v1"));
    Files.createDirectories(dir.resolve("v1"));
    if (!compile(sources, sources.keySet(), "v1", List.of())) return null;
    Map<String, TestRun.Row> rows;
    try {
      rows = lab.run(prepared(), true);
      Prepared same = prepared();
      same.newRoots.clear();
      same.newRoots.addAll(same.oldRoots);
      for (var e : lab.run(same, false).entrySet()) {
        if (!e.getValue().outcome().equals(rows.get(e.getKey()).outcome())) throw new IllegalStateException("the recorder changes " + e.getKey() + ": " + e.getValue().outcome() + " -> "
            + rows.get(e.getKey()).outcome());
      }
    } catch (IOException e) {
      why = e.getMessage();
      return null;
    }
    Map<String, byte[]> classes = new World(List.of(dir.resolve("v1")), List.of()).internalClasses();
    Matrix.write(dir.resolve("matrix-f.ndjson"), classes, rows.values(), edges ? Matrix.ALL_WITH_EDGES : Matrix.ALL_FACTS, lab.running);
    Matrix.write(dir.resolve("matrix-m.ndjson"), classes, rows.values(), edges ? Matrix.EDGES : Matrix.METHODS, lab.running);
    stored = rejig == null || viaDiff ? null : rejig.store(dir, dir.resolve("matrix-f.ndjson"));
    if (stored == null && rejig != null && !viaDiff) stored = rejig.store(dir, dir.resolve("matrix-m.ndjson"));
    return rows;
  }

  /** The verdicts of every test of the old version; null when the new one does not compile or crashes. */
  List<Verdict> mutant(Map<String, String> before, Map<String, String> after, Set<String> stale, Map<String, TestRun.Row> rows) throws IOException, Lab.Unavailable {
    crashed = false;
    error = null;
    Path v2 = dir.resolve("v2");
    Lab.delete(v2);
    Lab.delete(dir.resolve("kept"));
    Files.createDirectories(v2);
    Set<String> names = new TreeSet<>(after.keySet());
    names.removeAll(stale);
    List<Path> cp = new ArrayList<>();
    if (!stale.isEmpty()) {
      for (String line : Files.readAllLines(dir.resolve("v1" + Javac.ORIGINS))) {
        String[] f = line.split("\t");
        if (!stale.contains(f[0])) continue;
        for (Path to : List.of(dir.resolve("kept"), v2)) {
          Files.createDirectories(to.resolve(f[1]).getParent());
          Files.copy(dir.resolve("v1").resolve(f[1]), to.resolve(f[1]));
        }
      }
      cp.add(dir.resolve("kept"));
    }
    if (!compile(after, names, "v2", cp)) return null;
    Map<String, TestRun.Row> now;
    try {
      now = lab.run(prepared(), false);
    } catch (IOException e) {
      why = e.getMessage();
      crashed = true;
      return null;
    }
    Rejig.Selection f = null;
    Rejig.Selection m = null;
    if (rejig != null) {
      Prepared p = prepared();
      if (viaDiff) {
        m = f = rejig.bySets(dir, rows.values(), new World(p.oldRoots, List.of()), p.oldRoots, p.newRoots, external(), external(), lab.running, lab.running);
      } else {
        f = rejig.select(dir, dir.resolve("matrix-f.ndjson"), "", view, p.oldRoots, p.newRoots, external(), external(), lab.running, lab.running);
        m = factsOnly ? f : rejig.select(dir, dir.resolve("matrix-m.ndjson"), "", view, p.oldRoots, p.newRoots, external(), external(), lab.running, lab.running);
      }
      error = stored != null ? stored : f.error() != null ? f.error() : m.error();
      if (error == null && exhaustive) error = rejig.exhaustively(dir, p.oldRoots, p.newRoots, external(), lab.running);
    }
    Set<String> changed = changedBodies(dir.resolve("v1"), v2);
    List<Verdict> out = new ArrayList<>();
    for (TestRun.Row r : rows.values()) {
      // A test that did not pass is always selected: it says nothing about the change.
      if (!r.outcome().startsWith("pass")) continue;
      String is = now.containsKey(r.id()) ? now.get(r.id()).outcome() : "absent";
      out.add(new Verdict(r.id(), !r.outcome().equals(is), f != null && f.has(r.id()), m != null && m.has(r.id()), f != null && error == null, r.atoms().stream().anyMatch(changed::contains), r.outcome(), is, f == null ? Set.of() : f.why().getOrDefault(r.id(), Set.of())));
    }
    return out;
  }

  /** Methods whose instructions differ as text: no selection by methods can spare a test that ran one. */
  static Set<String> changedBodies(Path before, Path after) throws IOException {
    Map<String, String> a = bodies(before);
    Map<String, String> b = bodies(after);
    Set<String> out = new TreeSet<>();
    for (var e : a.entrySet()) if (!e.getValue().equals(b.get(e.getKey()))) out.add(e.getKey());
    return out;
  }

  private static Map<String, String> bodies(Path root) throws IOException {
    Map<String, String> out = new TreeMap<>();
    for (byte[] bytes : new World(List.of(root), List.of()).internalClasses().values()) {
      ClassNode n = new ClassNode();
      new ClassReader(bytes).accept(n, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      for (MethodNode m : n.methods) {
        Textifier t = new Textifier();
        m.accept(new TraceMethodVisitor(t));
        StringWriter w = new StringWriter();
        PrintWriter p = new PrintWriter(w);
        t.print(p);
        p.flush();
        out.put("m:" + n.name.replace('/', '.') + "." + m.name + m.desc, (m.access & (Opcodes.ACC_STATIC | Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_ABSTRACT)) + w.toString());
      }
    }
    return out;
  }

  /** Both versions from scratch, for the shrinker. */
  List<Verdict> both(Map<String, String> before, Map<String, String> after, Set<String> stale) throws IOException, Lab.Unavailable {
    Map<String, TestRun.Row> rows = base(new TreeMap<>(before));
    return rows == null ? null : mutant(before, after, stale, rows);
  }
}
