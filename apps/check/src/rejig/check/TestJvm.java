// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A {@link TestServer} in a process of its own; one that crashes or hangs is replaced for the next request. Not for several threads. */
final class TestJvm implements AutoCloseable {
  private static final int SECONDS = 60;
  private static final int REQUESTS = 2000;

  private final List<String> command;
  private Process process;
  private Writer requests;
  private BufferedReader answers;
  private int served;

  TestJvm(Setup setup) {
    this.command = setup.java(List.of("-Xmx400m", "-Xss1m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash"), TestServer.class, List.of());
  }

  private void start() throws IOException {
    ProcessBuilder b = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    b.environment().remove("JAVA_TOOL_OPTIONS");
    process = b.start();
    requests = process.outputWriter(StandardCharsets.UTF_8);
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    served = 0;
  }

  /** How each test ended; null when the JVM died of them. */
  Map<String, String> run(Path root, Path library, Collection<String> tests) throws IOException {
    if (process != null && ++served > REQUESTS) close();
    if (process == null || !process.isAlive()) start();
    Process mine = process;
    Thread watch = new Thread(() -> {
      try {
        TimeUnit.SECONDS.sleep(SECONDS);
        mine.destroyForcibly();
      } catch (InterruptedException answered) {
        Thread.currentThread().interrupt();
      }
    });
    watch.setDaemon(true);
    watch.start();
    try {
      requests.write(root + "\t" + library + "\t" + String.join(" ", tests) + "\n");
      requests.flush();
      Map<String, String> out = new TreeMap<>();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.equals("end")) return out;
        int tab = line.indexOf('\t');
        out.put(line.substring(0, tab), line.substring(tab + 1));
      }
    } catch (IOException died) {
      close();
      return null;
    } finally {
      watch.interrupt();
    }
    close();
    return null;
  }

  @Override public void close() {
    if (process != null) process.destroyForcibly();
    process = null;
  }

}
