#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests that start processes: what a child JVM ran belongs to the test; a test that
# started something that is no JVM runs every time.
. "$(dirname "$0")/lib.sh"
console=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
api=$console
command="java -jar $console -cp main:tests --scan-classpath tests --disable-banner"
mkdir -p src/p test/p resources
cat >src/p/Child.java <<'JAVA'
package p;
public class Child {
  public static void main(String[] arguments) { System.exit(new Work().done(arguments.length) ? 0 : 1); }
}
JAVA
cat >src/p/Work.java <<'JAVA'
package p;
public class Work {
  public boolean done(int n) { return n == 1; }
  public boolean started() { return true; }
}
JAVA
cat >test/p/ChildTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import org.junit.jupiter.api.Test;
class ChildTest {
  private static void ran(String name) { System.out.println("RAN:" + name); }
  private static int run(String... command) throws Exception { return new ProcessBuilder(command).inheritIO().start().waitFor(); }
  @Test void jvm() throws Exception { ran("jvm"); assertEquals(0, run(System.getProperty("java.home") + "/bin/java", "-cp", "main", "p.Child", "x")); }
  @Test void shell() throws Exception { ran("shell"); assertEquals(0, run("true")); }
  @Test void inside() { ran("inside"); assertTrue(new Work().started()); }
}
JAVA
compile
expect 'first run' 0 jvm shell inside
expect 'no change' 0 shell
edit 's/return n == 1/return 1 == n/' src/p/Work.java
expect 'a body that only the child runs' 0 jvm shell
edit 's/return true/int i = 1; return i == 1/' src/p/Work.java
expect 'a body that only the parent runs' 0 shell inside
edit 's/return 1 == n/return n > 1/' src/p/Work.java
expect 'the child fails' 1 jvm shell
edit 's/return n > 1/return n == 1/' src/p/Work.java
expect 'and again it does not' 0 jvm shell
expect 'no change after it' 0 shell
done_with
