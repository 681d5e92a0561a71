// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.InitializationError;

/** Runs the tests of one program with JUnit 4 and says how they ended: the result, what was thrown, and the trace of what happened. */
final class Tests extends ParentRunner<String> {
  private final Path root;
  private final Path library;
  private final List<String> tests;
  private final Map<String, String> outcomes = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private int finished;

  private Tests(Path root, Path library, List<String> tests) throws InitializationError {
    super(Tests.class);
    this.root = root;
    this.library = library;
    this.tests = tests;
  }

  /** {@code tests}: Class#method, all of one program. A suite of its own: what its discovery does is not the work of others. */
  static Map<String, String> outcomes(Path root, Path library, Collection<String> tests) throws InitializationError {
    Tests suite = new Tests(root, library, List.copyOf(tests));
    JUnitCore core = new JUnitCore();
    core.addListener(new RunListener() {
      @Override public void testFinished(Description d) {
        suite.finished++;
      }

      @Override public void testFailure(Failure f) {
        suite.problems.add("fail " + describe(f.getException()));
      }
    });
    core.run(suite);
    return suite.outcomes;
  }

  @Override protected String getName() {
    String first = tests.get(0);
    return first.substring(0, first.indexOf('.')) + ".program";
  }

  @Override protected List<String> getChildren() {
    return tests;
  }

  @Override protected Description describeChild(String test) {
    return Description.createSuiteDescription(test);
  }

  @Override protected void runChild(String test, RunNotifier notifier) {
    problems.clear();
    finished = 0;
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    String result;
    try (ProgramLoader loader = new ProgramLoader(root, library, Tests.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      int hash = test.indexOf('#');
      try {
        Class<?> c = Class.forName(test.substring(0, hash), false, loader);
        Request.method(c, test.substring(hash + 1)).getRunner().run(notifier);
        result = !problems.isEmpty() ? String.join("; ", problems) : finished == 1 ? "pass" : "ran " + finished;
      } catch (Throwable t) {
        result = "error " + describe(t);
      }
      Class<?> trace = loader.loaded("rejig.ev.Ev");
      if (trace != null) result += " | " + trace.getField("TRACE").get(null);
    } catch (Exception e) {
      result = "error " + describe(e);
    } finally {
      thread.setContextClassLoader(before);
    }
    outcomes.put(test, result);
  }

  /** Identity hash codes and names of hidden classes are not behaviour. */
  private static String describe(Throwable t) {
    String m;
    try {
      m = String.valueOf(t.getMessage());
    } catch (Throwable broken) {
      m = "<" + broken.getClass().getName() + ">";
    }
    // The message of the verifier shows places and bytes of the method, and those are the recorder's too.
    if (t instanceof VerifyError) m = m.split("\n")[0].replaceAll("\\d+", "N");
    m = m.replaceAll("@[0-9a-f]{3,}", "@").replaceAll("0x[0-9a-f]+", "0x").replaceAll("\\$\\$Lambda[$/0-9x]*", "Lambda");
    return t.getClass().getName() + ": " + (m.length() > 400 ? m.substring(0, 400) : m);
  }

  static String flat(String s) {
    return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
  }
}
