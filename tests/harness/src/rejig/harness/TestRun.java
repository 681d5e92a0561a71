// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import rejig.harness.boot.Rec;

/** Runs every JUnit 3/4 test of a program, each in a fresh class loader with its class fixtures, and says how it ended and what it touched. */
final class TestRun {
  record Row(String id, String outcome, Set<String> atoms) {}

  private final List<Path> internal;
  private final List<Path> external;
  private final World world;
  private final boolean modular;

  TestRun(List<Path> internal, List<Path> external, boolean modular) throws IOException {
    this.internal = World.followed(internal);
    this.external = external;
    this.modular = modular;
    this.world = new World(internal, external);
  }

  private CaseLoader loader() throws IOException {
    CaseLoader l = new CaseLoader(internal, external, world, TestRun.class.getClassLoader());
    if (modular) layer(l);
    return l;
  }

  /** All roots as named modules of one loader, opened to the test framework. */
  private void layer(CaseLoader l) {
    ModuleFinder finder = ModuleFinder.of(internal.toArray(new Path[0]));
    List<String> names = finder.findAll().stream().map(m -> m.descriptor().name()).sorted().toList();
    Configuration cf = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), names);
    ModuleLayer.Controller layer = ModuleLayer.defineModules(cf, List.of(ModuleLayer.boot()), n -> l);
    Module tests = layer.layer().findModule(names.get(names.size() - 1)).orElseThrow();
    Module framework = TestRun.class.getClassLoader().getUnnamedModule();
    layer.addReads(tests, framework);
    for (String p : tests.getPackages()) layer.addOpens(tests, p, framework);
  }

  List<Row> run(boolean record) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (String test : world.testClasses()) {
      for (String id : ids(test)) rows.add(one(test, id, record));
    }
    return rows;
  }

  private Set<String> ids(String testClass) throws Exception {
    Set<String> out = new TreeSet<>();
    try (CaseLoader l = loader()) {
      ClassLoader before = enter(l);
      try {
        Class<?> c = Class.forName(testClass, false, l);
        collect(testClass, Request.aClass(c).getRunner().getDescription(), out);
      } catch (Throwable t) {
        out.add(testClass + "#*");
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
    return out;
  }

  private static ClassLoader enter(ClassLoader l) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(l);
    return before;
  }

  private static void collect(String testClass, Description d, Set<String> out) {
    if (d.isTest()) out.add(id(testClass, d));
    for (Description k : d.getChildren()) collect(testClass, k, out);
  }

  /** All invocations of a parameterized method share the id of the method; what belongs to another class (a suite) or has no method is the class itself. */
  private static String id(String testClass, Description d) {
    String m = d.getMethodName();
    if (m == null || !testClass.equals(d.getClassName()) || m.equals("initializationError") || m.equals("warning")) return testClass + "#*";
    int bracket = m.indexOf('[');
    return testClass + "#" + (bracket < 0 ? m : m.substring(0, bracket)) + "()";
  }

  private Row one(String testClass, String id, boolean record) throws Exception {
    StringBuilder outcome = new StringBuilder();
    Set<String> atoms = new TreeSet<>();
    try (CaseLoader l = loader()) {
      ClassLoader before = enter(l);
      if (record) Rec.start(l, world.chain(testClass));
      try {
        outcome.append(execute(l, testClass, id));
      } catch (Throwable t) {
        outcome.append("error ").append(describe(t));
      } finally {
        Class<?> trace = l.loaded("rejig.ev.Ev");
        if (trace != null) outcome.append(" | ").append(trace.getField("TRACE").get(null));
        Thread.currentThread().setContextClassLoader(before);
        if (record) {
          initialized(l);
          atoms = ownNames(Rec.stop());
          if (Rec.failure() != null) throw new IllegalStateException("the recorder failed: " + Rec.failure());
        }
      }
    }
    return new Row(id, outcome.toString(), atoms);
  }

  /** Drops what run-time generation named (proxies, accessors) and says files below a root by their name in it. */
  private Set<String> ownNames(Set<String> recorded) {
    Set<String> out = new TreeSet<>();
    for (String a : recorded) {
      String[] kind = a.split(":", 2);
      if (kind[0].equals("refl") || kind[0].equals("inst")) {
        if (world.has(kind[1].replace('.', '/'))) out.add(a);
      } else if (kind[0].equals("recv")) {
        if (world.has(kind[1].substring(0, kind[1].indexOf('|')).replace('.', '/'))) out.add(a);
      } else if (kind[0].startsWith("res")) {
        String path = kind[1];
        for (Path root : internal) if (path.startsWith(root + "/")) path = path.substring(root.toString().length() + 1);
        for (Path root : external) if (path.startsWith(root + "/")) path = path.substring(root.toString().length() + 1);
        out.add(kind[0] + ":" + path);
      } else {
        out.add(a);
      }
    }
    return out;
  }

  private String execute(CaseLoader l, String testClass, String id) throws Exception {
    Class<?> c = Class.forName(testClass, false, l);
    Runner runner = Request.aClass(c).getRunner();
    if (!id.endsWith("#*")) {
      Filter keep = new Filter() {
        @Override public boolean shouldRun(Description d) {
          if (d.isTest()) return id(testClass, d).equals(id);
          return d.getChildren().stream().anyMatch(this::shouldRun);
        }

        @Override public String describe() {
          return id;
        }
      };
      keep.apply(runner);
    }
    Map<String, String> results = new LinkedHashMap<>();
    List<String> others = new ArrayList<>();
    JUnitCore core = new JUnitCore();
    core.addListener(new RunListener() {
      @Override public void testFinished(Description d) {
        results.putIfAbsent(d.getDisplayName(), "pass");
      }

      @Override public void testFailure(Failure f) {
        String what = "fail " + describe(f.getException());
        if (f.getDescription().isTest()) results.merge(f.getDescription().getDisplayName(), what, (a, b) -> a.equals("pass") ? b : a + "; " + b);
        else others.add(what);
      }

      @Override public void testAssumptionFailure(Failure f) {
        results.put(f.getDescription().getDisplayName(), "assumption");
      }

      @Override public void testIgnored(Description d) {
        results.put(d.getDisplayName(), "ignored");
      }
    });
    core.run(runner);
    if (results.values().stream().allMatch("pass"::equals) && others.isEmpty() && !results.isEmpty()) return results.size() == 1 ? "pass" : "pass x" + results.size();
    return String.join("; ", others) + new TreeMap<>(results);
  }

  static String describe(Throwable t) {
    String m;
    try {
      m = String.valueOf(t.getMessage());
    } catch (Throwable broken) {
      m = "<" + broken.getClass().getName() + ">";
    }
    // Identity hash codes, hidden-class addresses and loader names are not behaviour.
    m = m.replaceAll("@[0-9a-f]{3,}", "@").replaceAll("0x[0-9a-f]+", "0x").replaceAll("\\$\\$Lambda[$/0-9x]*", "Lambda");
    return t.getClass().getName() + ": " + (m.length() > 400 ? m.substring(0, 400) : m);
  }

  /** What has been initialized shows afterwards, whoever triggered it; of a failed initializer, every loaded class that needs it. */
  private void initialized(CaseLoader l) {
    Set<String> failed = new TreeSet<>();
    List<Class<?>> mine = new ArrayList<>();
    for (Class<?> c : Agent.instrumentation.getInitiatedClasses(l)) {
      if (c.getClassLoader() != l || c.isArray() || c.isHidden()) continue;
      if (!world.internalClasses().containsKey(c.getName()) && !world.has(c.getName().replace('.', '/'))) continue;
      mine.add(c);
      if (!jdk.internal.misc.Unsafe.getUnsafe().shouldBeInitialized(c)) Rec.hit("init:" + c.getName());
      else if (Rec.seen("m:" + c.getName() + ".<clinit>()V")) failed.add(c.getName());
    }
    for (Class<?> c : mine) {
      Set<String> sequence = world.initSequence(c.getName().replace('.', '/'));
      if (sequence.stream().anyMatch(s -> failed.contains(s.replace('/', '.')))) {
        for (String s : sequence) Rec.hit("init:" + s.replace('/', '.'));
      }
    }
  }

  static void write(Path file, List<Row> rows) throws IOException {
    StringBuilder b = new StringBuilder();
    for (Row r : rows) {
      b.append("T ").append(r.id).append('\n').append("O ").append(flat(r.outcome)).append('\n');
      for (String a : r.atoms) b.append("A ").append(flat(a)).append('\n');
    }
    Files.writeString(file, b);
  }

  private static String flat(String s) {
    return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  static Map<String, Row> read(Path file) throws IOException {
    Map<String, Row> out = new TreeMap<>();
    String id = null;
    String outcome = "";
    Set<String> atoms = new TreeSet<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("T ")) {
        if (id != null) out.put(id, new Row(id, outcome, atoms));
        id = line.substring(2);
        atoms = new TreeSet<>();
      } else if (line.startsWith("O ")) {
        outcome = line.substring(2);
      } else if (line.startsWith("A ")) {
        atoms.add(line.substring(2));
      }
    }
    if (id != null) out.put(id, new Row(id, outcome, atoms));
    return out;
  }
}
