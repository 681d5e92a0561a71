// SPDX-License-Identifier: Apache-2.0
package rejig.check;

import java.util.Map;
import java.util.TreeMap;

/** What was asked and what came of it. */
final class Counts {
  int programs;
  int pairs;
  int stalePairs;
  int tests;
  int flips;
  int selected;
  int selectedUnaffected;
  int unaffected;
  /** Of selectedUnaffected: ran no method whose text differs. */
  int unexplained;
  int unusable;
  int flaky;
  final Map<String, Integer> checked = new TreeMap<>();
  final Map<String, Integer> families = new TreeMap<>();
  final Map<String, Integer> operators = new TreeMap<>();
  /** Of unexplained: the rules that selected it. */
  final Map<String, Integer> causes = new TreeMap<>();
  /** Pairs of which every test was selected, by what explains it at best: every test changed its outcome, or ran a changed method, or loaded a changed class, or nothing. */
  final Map<String, Integer> everything = new TreeMap<>();

  void check(String rule, int times) {
    checked.merge(rule, times, Integer::sum);
  }

  void add(Counts o) {
    programs += o.programs;
    pairs += o.pairs;
    stalePairs += o.stalePairs;
    tests += o.tests;
    flips += o.flips;
    selected += o.selected;
    selectedUnaffected += o.selectedUnaffected;
    unaffected += o.unaffected;
    unexplained += o.unexplained;
    unusable += o.unusable;
    flaky += o.flaky;
    o.checked.forEach((k, v) -> checked.merge(k, v, Integer::sum));
    o.families.forEach((k, v) -> families.merge(k, v, Integer::sum));
    o.operators.forEach((k, v) -> operators.merge(k, v, Integer::sum));
    o.causes.forEach((k, v) -> causes.merge(k, v, Integer::sum));
    o.everything.forEach((k, v) -> everything.merge(k, v, Integer::sum));
  }
}
