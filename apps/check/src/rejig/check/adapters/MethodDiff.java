// SPDX-License-Identifier: Apache-2.0
package rejig.check.adapters;

import java.io.IOException;
import java.nio.file.Path;
import rejig.check.Change;
import rejig.check.Rows;

/** A selector to put under test: tests that ran a method whose text differs (`--tool`, OLD NEW ROWS). It does not know what else an unchanged call depends on. */
public final class MethodDiff {
  private MethodDiff() {}

  public static void main(String[] args) throws IOException {
    Change change = Change.between(Path.of(args[0]), Path.of(args[1]));
    Rows.read(Path.of(args[2])).forEach((test, atoms) -> {
      if (change.ran(atoms)) System.out.println(test);
    });
  }
}
