#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# junit3.sh JARS LIFE: a project whose tests are run by JUnit 3's own main class, all of them in one suite.
. "$(dirname "$0")/lib.sh"
api=
for jar in $1; do api=$api:$ARTIFACTS/$jar.jar; done
api=${api#:}
command="java -cp main:tests:$api junit.textui.TestRunner p.AllTests"
program
cat >test/p/CalcTest.java <<'JAVA'
package p;
public class CalcTest extends junit.framework.TestCase {
  private static void ran(String name) { System.out.println("RAN:" + name); }
  public void testData() throws Exception { ran("data"); try (java.io.FileInputStream in = new java.io.FileInputStream("data.txt")) { assertEquals(2, in.read() - 48); } }
  public void testAdd() throws Exception { ran("add"); assertEquals(5, new Calc().add(2, 3)); }
  public void testMul() throws Exception { ran("mul"); if (System.getenv("KILL") != null) Runtime.getRuntime().halt(137); assertEquals(6, new Calc().mul(2, 3)); }
  public void testWho() throws Exception { ran("who"); assertEquals(4, new Derived().who().length()); }
  public void testConfig() throws Exception { ran("config"); assertEquals(3, Config.read().length()); }
  public void testKill() throws Exception { ran("kill"); }
}
JAVA
cat >test/p/AllTests.java <<'JAVA'
package p;
public class AllTests {
  public static junit.framework.Test suite() throws Exception {
    junit.framework.TestSuite all = new junit.framework.TestSuite();
    String[] names = new java.io.File("tests/p").list();
    java.util.Arrays.sort(names);
    for (String name : names) {
      if (name.endsWith("Test.class")) all.addTestSuite(Class.forName("p." + name.substring(0, name.length() - 6)).asSubclass(junit.framework.TestCase.class));
    }
    return all;
  }
}
JAVA
new_test() {
  sed 's/CalcTest/MoreTest/; s/("\([a-z]*\)")/("more-\1")/; /void test[MWCKD]/d' \
    test/p/CalcTest.java >test/p/MoreTest.java
}
"$2"
done_with
