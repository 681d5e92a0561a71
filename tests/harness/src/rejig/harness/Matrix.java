// SPDX-License-Identifier: Apache-2.0
package rejig.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import rejig.check.evolve.Json;

/** Writes recorded rows as a matrix exchange file: with every fact, or with the methods only. */
final class Matrix {
  static final List<String> ALL_FACTS = List.of("m", "inst", "recv", "init", "load", "ext", "miss", "refl", "res", "resmiss", "stackapi");
  static final List<String> METHODS = List.of("m");
  /** Methods and control-flow edges. */
  static final List<String> EDGES = List.of("m", "e");
  static final List<String> ALL_WITH_EDGES = with(ALL_FACTS, "e");

  private Matrix() {}

  private static List<String> with(List<String> list, String one) {
    List<String> out = new ArrayList<>(list);
    out.add(one);
    return List.copyOf(out);
  }

  static void write(Path file, Map<String, byte[]> classes, Collection<TestRun.Row> rows, List<String> facts, Jdks.Jdk jdk) throws IOException {
    StringBuilder b = new StringBuilder();
    b.append("{\"v\":1,\"type\":\"matrix\",\"facts\":[");
    list(b, facts);
    b.append("],\"classes\":[");
    String sep = "";
    for (var e : classes.entrySet()) {
      b.append(sep).append("{\"name\":").append(Json.quote(e.getKey())).append(",\"digest\":\"").append(sha256(e.getValue())).append("\"}");
      sep = ",";
    }
    b.append("],\"environment\":{\"java.specification.version\":\"").append(jdk.feature()).append("\"}}\n");
    for (TestRun.Row r : rows) {
      boolean pass = r.outcome().startsWith("pass");
      boolean ran = pass || r.outcome().contains("fail ");
      Set<String> atoms = new TreeSet<>();
      for (String a : r.atoms()) {
        int colon = a.indexOf(':');
        if (facts.contains(colon < 0 ? a : a.substring(0, colon))) atoms.add(a);
      }
      b.append("{\"v\":1,\"suite\":\"default\",\"test\":").append(Json.quote(r.id())).append(",\"grade\":\"").append(ran ? "complete" : "partial").append("\",\"result\":\"")
          .append(pass ? "pass" : ran ? "fail" : "skip").append("\",\"ms\":1,\"atoms\":[");
      list(b, atoms);
      b.append("]}\n");
    }
    Files.writeString(file, b);
  }

  private static void list(StringBuilder b, Collection<String> items) {
    String sep = "";
    for (String s : items) {
      b.append(sep).append(Json.quote(s));
      sep = ",";
    }
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
