// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import rejig.check.evolve.Json;

/** The answer as text, JSON or JUnit XML. */
final class Report {
  static final Map<String, String> RULES = new TreeMap<>(Map.of("R1", "every test whose outcome changes is selected", "R2", "never nothing where simple selectors take everything",
      "R3", "not everything in every revision", "R4", "never everything where simple selectors take nothing", "R5", "nothing is selected when nothing changed", "R6",
      "every test is recorded and every question answered", "R7", "recording changes no outcome"));
  private static final Map<String, String> UNITS = Map.of("R1", "changed outcomes", "R2", "pairs", "R3", "programs", "R4", "pairs", "R5", "programs", "R6", "tests", "R7", "tests");

  private static final int CAUSES = 10;
  /** The rules as coverage/ has them, in a few words. */
  private static final Map<String, String> MEANING = Map.ofEntries(Map.entry("D1", "an entered method compiles otherwise"), Map.entry("D2", "a triggered initializer differs"),
      Map.entry("D3", "a call reaches another method"), Map.entry("D4", "a call reaches another method or fails"), Map.entry("D5", "a field is another"),
      Map.entry("D6", "a used class is another kind"), Map.entry("D7", "a receiver runs another method"), Map.entry("D8", "external code would run another method of an instance"),
      Map.entry("D10", "a subtype test of an instance ends otherwise"), Map.entry("D12", "an instance has another external supertype"),
      Map.entry("D13", "other initializers run, or in another order"), Map.entry("D14", "a loaded class links otherwise"), Map.entry("D15", "a constant differs"),
      Map.entry("D16", "what reflection says of a class differs"), Map.entry("D17", "a member that is found by name"), Map.entry("D18", "its class is another test class"),
      Map.entry("D22", "what it looked for in vain is there"));

  private final String title;
  private final Counts counts;
  private final List<Finding> findings;
  private final Map<String, String> programs;

  Report(String title, Counts counts, List<Finding> findings, Map<String, String> programs) {
    this.title = title;
    this.counts = counts;
    this.findings = findings;
    this.programs = programs;
  }

  private long violated(String rule) {
    return findings.stream().filter(f -> f.rule().equals(rule)).map(Finding::pair).distinct().count();
  }

  private int checked(String rule) {
    return counts.checked.getOrDefault(rule, 0);
  }

  String text() {
    StringBuilder b = new StringBuilder(title).append("\n\n");
    for (String r : RULES.keySet()) {
      b.append(String.format(Locale.ROOT, "  %s  %-54s %9d %-17s %s%n", r, RULES.get(r), checked(r), UNITS.get(r), violated(r) == 0 ? "0 violations" : violated(r) + " VIOLATED"));
    }
    b.append(String.format(Locale.ROOT, "%n%d pairs (%d with stale classes) of %d programs, %d revisions unusable, %d flaky%n", counts.pairs, counts.stalePairs, counts.programs, counts.unusable,
        counts.flaky));
    b.append(String.format(Locale.ROOT, "%d tests, %d changed their outcome; %d selected (%.1f %%); of %d unaffected %d selected (%.2f %%), %d (%.2f %%) without having run a changed method%n",
        counts.tests, counts.flips, counts.selected, percent(counts.selected, counts.tests), counts.unaffected, counts.selectedUnaffected,
        percent(counts.selectedUnaffected, counts.unaffected), counts.unexplained, percent(counts.unexplained, counts.unaffected)));
    if (!counts.everything.isEmpty()) b.append(everything());
    if (!counts.causes.isEmpty()) b.append(causes());
    for (Finding f : findings) {
      b.append('\n').append(f.rule()).append(" violated by ").append(f.pair()).append(f.tests().isEmpty() ? "" : " " + f.tests()).append('\n').append("  ")
          .append(f.what().length() > 400 ? f.what().substring(0, 400) + " ..." : f.what()).append('\n');
      String p = programs.get(f.rule() + " " + f.pair());
      if (p != null) b.append("  program: ").append(p).append('\n');
    }
    return b.toString();
  }

  /** What RTSCheck counts as R3, and the truth about it. */
  private String everything() {
    int all = counts.everything.values().stream().mapToInt(Integer::intValue).sum();
    return String.format(Locale.ROOT, "%d pairs with every test selected: in %d every test changed its outcome, in %d others it did or ran a changed method, in %d others it did or loaded a changed class; %d others%n",
        all, everything("changed"), everything("ran"), everything("loaded"), everything("other"));
  }

  private int everything(String why) {
    return counts.everything.getOrDefault(why, 0);
  }

  /** Why rejig selected unaffected tests. One with several rules counts for the combination. */
  private String causes() {
    StringBuilder b = new StringBuilder("\nwhy unaffected tests were selected:\n");
    b.append(String.format(Locale.ROOT, "  %7d  ran a method whose text differs%n", counts.selectedUnaffected - counts.unexplained));
    List<Map.Entry<String, Integer>> most = new ArrayList<>(counts.causes.entrySet());
    most.sort(Map.Entry.<String, Integer>comparingByValue().reversed());
    int others = 0;
    for (int i = 0; i < most.size(); i++) {
      String rules = most.get(i).getKey();
      if (i < CAUSES) b.append(String.format(Locale.ROOT, "  %7d  %s%s%n", most.get(i).getValue(), rules, MEANING.containsKey(rules) ? " " + MEANING.get(rules) : ""));
      else others += most.get(i).getValue();
    }
    if (others > 0) b.append(String.format(Locale.ROOT, "  %7d  for other combinations%n", others));
    return b.toString();
  }

  private static double percent(long a, long b) {
    return b == 0 ? 0 : 100.0 * a / b;
  }

  String json() {
    StringBuilder b = new StringBuilder("{\"schema\":\"rejig.check/1\",\"title\":").append(Json.quote(title)).append(",\"counts\":{");
    Map<String, Integer> n = new TreeMap<>();
    n.put("programs", counts.programs);
    n.put("pairs", counts.pairs);
    n.put("stale_pairs", counts.stalePairs);
    n.put("tests", counts.tests);
    n.put("flips", counts.flips);
    n.put("selected", counts.selected);
    n.put("unaffected", counts.unaffected);
    n.put("selected_unaffected", counts.selectedUnaffected);
    n.put("selected_unexplained", counts.unexplained);
    n.put("unusable", counts.unusable);
    n.put("flaky", counts.flaky);
    b.append(numbers(n)).append("},\"families\":{").append(numbers(counts.families)).append("},\"operators\":{").append(numbers(counts.operators)).append("},\"everything\":{").append(numbers(counts.everything)).append("},\"causes\":{").append(numbers(counts.causes)).append("},\"rules\":[");
    String sep = "";
    for (String r : RULES.keySet()) {
      b.append(sep).append("{\"id\":").append(Json.quote(r)).append(",\"checked\":").append(checked(r)).append(",\"violated\":").append(violated(r)).append(",\"what\":")
          .append(Json.quote(RULES.get(r))).append('}');
      sep = ",";
    }
    b.append("],\"violations\":[");
    sep = "";
    for (Finding f : findings) {
      b.append(sep).append("{\"rule\":").append(Json.quote(f.rule())).append(",\"pair\":").append(Json.quote(f.pair())).append(",\"what\":").append(Json.quote(f.what())).append(",\"tests\":[");
      String comma = "";
      for (String t : f.tests()) {
        b.append(comma).append(Json.quote(t));
        comma = ",";
      }
      b.append(']');
      String p = programs.get(f.rule() + " " + f.pair());
      if (p != null) b.append(",\"program\":").append(Json.quote(p));
      b.append('}');
      sep = ",";
    }
    return b.append("]}\n").toString();
  }

  private static String numbers(Map<String, Integer> n) {
    StringBuilder b = new StringBuilder();
    for (var e : n.entrySet()) b.append(b.isEmpty() ? "" : ",").append(Json.quote(e.getKey())).append(':').append(e.getValue());
    return b.toString();
  }

  String junit() {
    StringBuilder b = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    long bad = RULES.keySet().stream().filter(r -> violated(r) > 0).count();
    b.append("<testsuite name=\"rejig check\" tests=\"").append(RULES.size()).append("\" failures=\"").append(bad).append("\" errors=\"0\" skipped=\"0\">\n");
    for (String r : RULES.keySet()) {
      b.append("  <testcase classname=\"rejig.check\" name=\"").append(r).append(' ').append(xml(RULES.get(r))).append('"');
      if (violated(r) == 0) {
        b.append("/>\n");
        continue;
      }
      b.append(">\n    <failure message=\"").append(violated(r)).append(" of ").append(checked(r)).append("\">");
      for (Finding f : findings) if (f.rule().equals(r)) b.append(xml(f.pair() + " " + f.tests() + " " + f.what())).append('\n');
      b.append("</failure>\n  </testcase>\n");
    }
    return b.append("</testsuite>\n").toString();
  }

  private static String xml(String s) {
    return s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?");
  }
}
