// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.OutputStream;
import java.io.PrintStream;

/** Runs every test of a program in a class loader of its own, without the reference recorder: what `rejig record` is put in front of. */
public final class Alone {
  private Alone() {}

  /** internal roots, external roots, `modular` or `plain`. */
  public static void main(String[] args) throws Exception {
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    // What it reads of the program to find the tests is no test's doing.
    quiet(true);
    TestRun run = new TestRun(Worker.paths(args[0]), Worker.paths(args[1]), args[2].equals("modular"));
    quiet(false);
    run.run(false);
    System.exit(0);
  }

  /** Tells the recorder, if there is one. */
  private static void quiet(boolean on) throws Exception {
    try {
      Class.forName("java.lang.$Rejig").getMethod("quiet", boolean.class).invoke(null, on);
    } catch (ClassNotFoundException e) {
      return;
    }
  }
}
