// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A JVM of its own, because programs under test may crash it: compiles and runs what it is told, one request a line. */
public final class Worker {
  private static final Map<String, Javac> COMPILERS = new HashMap<>();

  private Worker() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.setIn(new java.io.ByteArrayInputStream(new byte[0]));
    answers.println("ready");
    answers.flush();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = handle(line.split("\t", -1));
      } catch (Throwable t) {
        answer = "error " + t + " at " + (t.getStackTrace().length > 0 ? t.getStackTrace()[0] : "?");
      }
      answers.println(answer.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", ""));
      answers.flush();
    }
    System.exit(0);
  }

  static List<Path> paths(String list) {
    List<Path> out = new ArrayList<>();
    for (String s : list.split(":")) if (!s.isEmpty()) out.add(Path.of(s));
    return out;
  }

  static List<String> words(String list) {
    List<String> out = new ArrayList<>();
    for (String s : list.split(" ")) if (!s.isEmpty()) out.add(s);
    return out;
  }

  private static String handle(String[] f) throws Exception {
    switch (f[0]) {
      case "compile": { // compiler, source root, sources, out, class path, options
        Javac c = COMPILERS.get(f[1]);
        if (c == null) COMPILERS.put(f[1], c = f[1].isEmpty() ? Javac.system() : Javac.ecj(Path.of(f[1])));
        String e = c.compile(Path.of(f[2]), words(f[3]), Path.of(f[4]), paths(f[5]), words(f[6]));
        return e == null ? "ok" : "failed " + e;
      }
      case "run": { // record|plain [edges] [modular], internal, external, out file
        Probes.edges = f[1].contains(" edges");
        TestRun.write(Path.of(f[4]), new TestRun(paths(f[2]), paths(f[3]), f[1].endsWith(" modular")).run(f[1].startsWith("record")));
        return "ok";
      }
      case "serialize": { // root, class, out file
        try (var l = new URLClassLoader(new URL[] {Path.of(f[1]).toUri().toURL()}); var out = new ObjectOutputStream(Files.newOutputStream(Path.of(f[3])))) {
          Constructor<?> k = l.loadClass(f[2]).getDeclaredConstructor();
          k.setAccessible(true);
          out.writeObject(k.newInstance());
        }
        return "ok";
      }
      default:
        return "error unknown request " + f[0];
    }
  }
}
