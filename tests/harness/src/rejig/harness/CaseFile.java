// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The text format of the safety cases (tests/cases/README.md). */
final class CaseFile {
  static final String IMPORTS = "import org.junit.*; import org.junit.runner.*; import org.junit.runners.*; import static org.junit.Assert.*; import java.util.*; "
      + "import java.util.function.*; import java.lang.reflect.*; import java.lang.annotation.*; import java.io.*; ";

  record Expected(String test, String what) {}

  static final class Case {
    String id;
    String title;
    final Map<String, String> tags = new HashMap<>();
    final Map<String, List<String>> files = new LinkedHashMap<>();

    String tag(String name) {
      return tags.getOrDefault(name, "");
    }

    List<Expected> expected() {
      List<Expected> out = new ArrayList<>();
      for (String part : tag("tests").split(";")) {
        String[] w = part.trim().split("\\s+");
        if (w.length == 2) out.add(new Expected(w[0], w[1]));
      }
      return out;
    }

    Set<String> stale() {
      Set<String> out = new TreeSet<>();
      for (String s : tag("stale").split(",")) if (!s.isBlank()) out.add(s.trim());
      return out;
    }

    /** Path to text of one version; '-' is the old one, '+' the new one. A file without a line in this version does not exist in it. */
    Map<String, String> version(char mine) {
      Map<String, String> out = new TreeMap<>();
      for (var e : files.entrySet()) {
        StringBuilder b = new StringBuilder();
        boolean any = false;
        for (String l : e.getValue()) {
          if (l.isEmpty() || (l.charAt(0) != ' ' && l.charAt(0) != mine)) continue;
          any = true;
          b.append(l, 1, l.length()).append('\n');
        }
        if (any) out.put(e.getKey(), e.getKey().endsWith(".java") ? withImports(e.getKey(), b.toString()) : b.toString());
      }
      return out;
    }

    private String withImports(String path, String text) {
      if (tag("noimports").startsWith("yes") || path.endsWith("module-info.java") || path.endsWith("package-info.java")) return text;
      int line = text.indexOf('\n');
      String first = text.substring(0, line);
      if (!first.startsWith("package ")) return IMPORTS + text;
      int semicolon = first.indexOf(';') + 1;
      return text.substring(0, semicolon) + " " + IMPORTS + text.substring(semicolon);
    }
  }

  private CaseFile() {}

  static List<Case> read(Path folder) throws IOException {
    List<Case> out = new ArrayList<>();
    try (var list = Files.list(folder)) {
      for (Path f : list.filter(p -> p.toString().endsWith(".txt")).sorted().toList()) parse(f, out);
    }
    Set<String> seen = new TreeSet<>();
    for (Case c : out) if (!seen.add(c.id)) throw new IOException(c.id + " occurs twice");
    return out;
  }

  private static void parse(Path file, List<Case> out) throws IOException {
    Case now = null;
    List<String> lines = null;
    int number = 0;
    for (String l : Files.readAllLines(file)) {
      number++;
      if (l.startsWith("=== ")) {
        now = new Case();
        String[] w = l.substring(4).split(" ", 2);
        now.id = w[0];
        now.title = w.length > 1 ? w[1] : "";
        lines = null;
        out.add(now);
      } else if (now != null && l.startsWith(">> ")) {
        now.files.put(l.substring(3).trim(), lines = new ArrayList<>());
      } else if (now != null && l.startsWith("@") && l.indexOf(':') > 0) {
        now.tags.put(l.substring(1, l.indexOf(':')), l.substring(l.indexOf(':') + 1).trim());
      } else if (lines != null && (l.isEmpty() || " -+".indexOf(l.charAt(0)) >= 0)) {
        lines.add(l);
      } else if (!l.isBlank()) {
        throw new IOException(file + ":" + number + ": not understood: " + l);
      }
    }
  }
}
