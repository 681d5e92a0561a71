// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Path;

/** The cases that need more than compiling and running. */
final class Scripts {
  private Scripts() {}

  static String handle(String[] fields) throws Exception {
    return "error unknown request " + fields[0];
  }

  /** Why a case is not automated, or null. */
  static String notAutomated(CaseFile.Case c) {
    return c.tags.containsKey("script") ? "script " + c.tag("script") : null;
  }

  static Prepared prepare(CaseFile.Case c, Lab lab, Path dir) throws IOException, Lab.Unavailable {
    return lab.prepare(c, dir);
  }
}
