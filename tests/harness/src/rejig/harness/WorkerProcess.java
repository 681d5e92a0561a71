// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One worker JVM; a crash or a hang is an answer, and the next request gets a new JVM. */
final class WorkerProcess implements AutoCloseable {
  /** An answer that takes longer is a hang; more on a machine that is busy with other things. */
  static final int SECONDS = Integer.parseInt(System.getenv().getOrDefault("REJIG_HANG_SECONDS", "60"));

  private final Jdks.Jdk jdk;
  private final Path dir;
  private final List<String> flags;
  private final int seconds;
  private final ExecutorService reader = Executors.newSingleThreadExecutor(r -> {
    Thread t = new Thread(r);
    t.setDaemon(true);
    return t;
  });
  private Process process;
  private Writer requests;
  private BufferedReader answers;

  WorkerProcess(Jdks.Jdk jdk, Path dir, List<String> flags) {
    this(jdk, dir, flags, SECONDS);
  }

  /** An answer may take that many seconds. */
  WorkerProcess(Jdks.Jdk jdk, Path dir, List<String> flags, int seconds) {
    this.seconds = seconds;
    this.jdk = jdk;
    this.dir = dir;
    this.flags = flags;
  }

  private void start() throws IOException {
    Path jar = Path.of(System.getProperty("rejig.harness.jar"));
    List<String> cmd = new ArrayList<>(List.of(jdk.home().resolve("bin/java").toString(), "-javaagent:" + jar, "-ea", "-Xmx1g", "-Xss1m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", "-Xshare:auto", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Duser.language=en",
        "-Duser.country=US", "-Dfile.encoding=UTF-8"));
    cmd.addAll(flags);
    cmd.addAll(List.of("-cp", System.getProperty("java.class.path"), "rejig.harness.Worker"));
    java.nio.file.Files.createDirectories(dir);
    process = new ProcessBuilder(cmd).directory(dir.toFile()).redirectError(dir.resolve("worker.err").toFile()).start();
    requests = process.outputWriter(StandardCharsets.UTF_8);
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String hello = read();
    if (!"ready".equals(hello)) throw new IOException("the worker JVM of " + jdk.home() + " did not start: " + hello + ", see " + dir.resolve("worker.err"));
  }

  private String read() {
    Future<String> line = reader.submit(() -> answers.readLine());
    try {
      String s = line.get(seconds, TimeUnit.SECONDS);
      if (s != null) return s;
      stop();
      return "crash";
    } catch (TimeoutException | InterruptedException e) {
      stop();
      return "hang";
    } catch (ExecutionException e) {
      stop();
      return "crash";
    }
  }

  private void stop() {
    process.destroyForcibly();
    process = null;
  }

  /** The answer with its escapes undone: ok, failed …, error …, crash, hang. */
  synchronized String ask(String... fields) throws IOException {
    if (process == null || !process.isAlive()) start();
    requests.write(String.join("\t", fields) + "\n");
    requests.flush();
    return read().replace("\\n", "\n").replace("\\\\", "\\");
  }

  @Override public synchronized void close() {
    if (process != null) stop();
    reader.shutdownNow();
  }
}
