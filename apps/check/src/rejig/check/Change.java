// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What differs between two folders of class files, for selectors that know only that: the classes, the methods. */
public record Change(Set<String> classes, Set<String> methods) {
  public static Change between(Path before, Path after) throws IOException {
    Map<String, Path> a = files(before);
    Map<String, Path> b = files(after);
    Set<String> classes = new TreeSet<>();
    Set<String> methods = new TreeSet<>();
    for (var e : a.entrySet()) {
      byte[] was = Files.readAllBytes(e.getValue());
      byte[] is = b.containsKey(e.getKey()) ? Files.readAllBytes(b.get(e.getKey())) : null;
      if (Arrays.equals(was, is)) continue;
      classes.add(e.getKey().substring(0, e.getKey().length() - 6).replace('/', '.'));
      Map<String, String> now = is == null ? Map.of() : ClassText.methods(is);
      for (var m : ClassText.methods(was).entrySet()) if (!m.getValue().equals(now.get(m.getKey()))) methods.add(m.getKey());
    }
    return new Change(classes, methods);
  }

  private static Map<String, Path> files(Path root) throws IOException {
    Map<String, Path> out = new TreeMap<>();
    try (var w = Files.walk(root)) {
      for (Path p : w.filter(f -> f.toString().endsWith(".class")).toList()) out.put(root.relativize(p).toString(), p);
    }
    return out;
  }

  /** The test loaded a class that is another now or gone: what classes-touched selectors ask. */
  public boolean touches(Set<String> atoms) {
    return atoms.stream().anyMatch(a -> a.startsWith("load:") && classes.contains(a.substring(5)));
  }

  /** The test ran a method whose text is another now or gone: what method-diff selectors ask. */
  public boolean ran(Set<String> atoms) {
    return atoms.stream().anyMatch(a -> a.startsWith("m:") && methods.contains(a.substring(2)));
  }
}
