// SPDX-License-Identifier: Apache-2.0
// Two "tests" under JaCoCo's agent, each a session of its own.
package sample;

import org.jacoco.agent.rt.IAgent;
import org.jacoco.agent.rt.RT;

public final class Sample {
  static int branch(int n) {
    return n > 3 ? n * 2 : n + 1;
  }
  static String pick(int n) {
    switch (n) {
      case 1: return "one";
      case 2: return "two";
      default: return "many";
    }
  }
  static int unused() {
    return 7;
  }
  static void throwing() {
    throw new IllegalStateException("seen: athrow has a probe");
  }
  static void onlyCalls() {
    throwing();
  }

  public static void main(String[] args) throws Exception {
    IAgent agent = RT.getAgent();
    agent.dump(true);
    agent.setSessionId("sample/SampleTest/branches");
    branch(1);
    branch(9);
    agent.dump(true);
    agent.setSessionId("sample.SampleTest#picks()");
    pick(2);
    try {
      onlyCalls();
    } catch (IllegalStateException expected) {
      expected.getMessage();
    }
    agent.dump(true);
  }
}
