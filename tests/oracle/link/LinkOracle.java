// SPDX-License-Identifier: Apache-2.0
package link;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.Opcodes;

/**
 * Writes random class hierarchies and asks the running JVM about them; LINK-ORACLE.md says how to read the answers.
 * LinkOracle --out DIR [--from N] [--cases N] [--queries N] [--max-major N] [--java HOME] [--jobs N] [--jars]
 * The JVM may crash on a case: child JVMs do the work, a crash is an answer too, and the next child goes on behind it.
 */
public final class LinkOracle {
  private static final int BATCH = 250;
  private static final int OWN_FAULT = 3; // a JVM that crashes without a core ends with 1

  private final Map<String, String> options = new HashMap<>();
  private int next;
  private int end;

  public static void main(String[] args) throws Exception {
    LinkOracle o = new LinkOracle();
    for (int i = 0; i < args.length; i++) {
      boolean flag = Set.of("--jars", "--child").contains(args[i]);
      o.options.put(args[i], flag ? "yes" : args[++i]);
    }
    if (!o.options.containsKey("--child")) {
      o.parent();
      return;
    }
    try {
      o.child();
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(OWN_FAULT);
    }
  }

  private int number(String option, int otherwise) {
    return options.containsKey(option) ? Integer.parseInt(options.get(option)) : otherwise;
  }

  // ---- the parent hands out ranges of case numbers

  private void parent() throws Exception {
    Path out = Path.of(options.get("--out"));
    Files.createDirectories(out);
    next = number("--from", 0);
    end = next + number("--cases", 1000);
    List<Thread> threads = new ArrayList<>();
    List<Exception> failures = new ArrayList<>();
    try (PrintStream answers = new PrintStream(Files.newOutputStream(out.resolve("answers.ndjson")), false,
        StandardCharsets.UTF_8)) {
      for (int j = number("--jobs", 2); j > 0; j--) {
        Thread t = new Thread(() -> {
          try {
            for (int[] range = take(); range != null; range = take()) work(range[0], range[1], answers);
          } catch (Exception e) {
            synchronized (failures) {
              failures.add(e);
            }
          }
        });
        t.start();
        threads.add(t);
      }
      for (Thread t : threads) t.join();
      if (answers.checkError()) throw new IOException("cannot write the answers");
    }
    if (!failures.isEmpty()) throw failures.get(0);
  }

  private synchronized int[] take() {
    if (next >= end) return null;
    int from = next;
    next = Math.min(end, from + BATCH);
    return new int[] {from, next};
  }

  /** One child for a range; behind a case that killed it another child. */
  private void work(int from, int to, PrintStream answers) throws IOException, InterruptedException {
    while (from < to) {
      Process p = start(from, to);
      int done = from;
      int feature = 0;
      StringBuilder lines = new StringBuilder();
      try (BufferedReader r = p.inputReader(StandardCharsets.UTF_8)) {
        for (String line = r.readLine(); line != null; line = r.readLine()) {
          if (line.startsWith("jvm ")) {
            feature = Integer.parseInt(line.substring(4));
          } else if (line.equals("end")) {
            done++;
            synchronized (answers) {
              answers.append(lines);
            }
            lines.setLength(0);
          } else if (line.startsWith("{")) {
            lines.append(line).append('\n');
          }
        }
      }
      int rc = p.waitFor();
      if (rc == 0) return;
      if (rc == OWN_FAULT) throw new IOException("child for the cases from " + from + " ends with " + rc);
      synchronized (answers) {
        answers.append("{\"case\":" + done + ",\"jvm\":" + feature + ",\"crash\":true}\n");
      }
      from = done + 1;
    }
  }

  private Process start(int from, int to) throws IOException {
    Path home = Path.of(options.getOrDefault("--java", System.getProperty("java.home")));
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString(), "-Xmx512m", "-Xshare:auto",
        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null",
        "-Djdk.reflect.useNativeAccessorOnly=true", "-cp", System.getProperty("java.class.path"),
        "link.LinkOracle", "--child", "--from", "" + from, "--cases", "" + (to - from)));
    for (String o : new String[] {"--out", "--queries", "--max-major"}) {
      if (options.containsKey(o)) command.addAll(List.of(o, options.get(o)));
    }
    if (options.containsKey("--jars")) command.add("--jars");
    return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
  }

  // ---- the child makes and asks

  private void child() throws IOException {
    int from = number("--from", 0);
    int cases = number("--cases", 1);
    int major = Math.min(number("--max-major", 61), 44 + Runtime.version().feature());
    Path out = Path.of(options.get("--out"));
    PrintStream stdout = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    stdout.println("jvm " + Runtime.version().feature());
    for (int c = from; c < from + cases; c++) {
      Hierarchy h = new Hierarchy(c, major, number("--queries", 40));
      Map<String, byte[]> bytes = Bytes.of(h);
      String name = String.format("c%07d", c);
      if (options.containsKey("--jars")) jar(out.resolve(name += ".jar"), bytes);
      else directory(out.resolve(name), bytes);
      new Execution(c, name, h, bytes, stdout::println).run();
      stdout.println("end");
      stdout.flush();
    }
  }

  private static void directory(Path dir, Map<String, byte[]> bytes) throws IOException {
    Files.createDirectories(dir.resolve("p"));
    Files.createDirectories(dir.resolve("q"));
    for (Map.Entry<String, byte[]> e : bytes.entrySet()) {
      Files.write(dir.resolve(e.getKey() + ".class"), e.getValue());
    }
  }

  private static void jar(Path jar, Map<String, byte[]> bytes) throws IOException {
    try (ZipOutputStream z = new ZipOutputStream(Files.newOutputStream(jar))) {
      z.setMethod(ZipOutputStream.STORED);
      for (Map.Entry<String, byte[]> e : bytes.entrySet()) {
        ZipEntry entry = new ZipEntry(e.getKey() + ".class");
        CRC32 crc = new CRC32();
        crc.update(e.getValue());
        entry.setSize(e.getValue().length);
        entry.setCrc(crc.getValue());
        entry.setTime(0);
        z.putNextEntry(entry);
        z.write(e.getValue());
      }
    }
  }
}
