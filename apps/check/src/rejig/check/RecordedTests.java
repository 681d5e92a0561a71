// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the recorder watches: ROOT LIBRARY LIST OUT runs the tests of a list and writes how each ended. */
public final class RecordedTests {
  private RecordedTests() {}

  public static void main(String[] args) throws Exception {
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    Map<String, List<String>> programs = new TreeMap<>();
    for (String test : Files.readAllLines(Path.of(args[2]))) programs.computeIfAbsent(test.substring(0, test.indexOf('.')), k -> new ArrayList<>()).add(test);
    StringBuilder out = new StringBuilder();
    for (List<String> tests : programs.values()) {
      Tests.outcomes(Path.of(args[0]), Path.of(args[1]), tests).forEach((test, end) -> out.append(test).append('\t').append(Tests.flat(end)).append('\n'));
    }
    Files.writeString(Path.of(args[3]), out);
    System.exit(0);
  }
}
