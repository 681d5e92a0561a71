// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A warm JVM that runs tests: one request a line (root, library, tests), an answer a test, then "end". Programs may crash it. */
public final class TestServer {
  private TestServer() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.setIn(new ByteArrayInputStream(new byte[0]));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] f = line.split("\t", -1);
      Tests.outcomes(Path.of(f[0]), Path.of(f[1]), List.of(f[2].split(" "))).forEach((test, end) -> answers.println(test + "\t" + Tests.flat(end)));
      answers.println("end");
      answers.flush();
    }
    System.exit(0);
  }
}
