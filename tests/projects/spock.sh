#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spock.sh 1|2: specifications in Groovy, run by JUnit 4 (Spock 1) or by the JUnit
# Platform (Spock 2). A name with parentheses is no method for JUnit 4: such
# features are one test of their class, so only Spock 2 gets one.
. "$(dirname "$0")/lib.sh"
sum='sum (of two)'
case $1 in
  1) sum='sum of two'
     api=$ARTIFACTS/spock-core-1.3-groovy-2.5.jar:$ARTIFACTS/groovy-2.5.23.jar:$ARTIFACTS/junit-4.13.2.jar:$ARTIFACTS/hamcrest-core-1.3.jar
     command="java -cp main:tests:$api org.junit.runner.JUnitCore \$(cd tests && ls p/*Test.class | sed 's/.class//; s,/,.,g')" ;;
  2) api=$ARTIFACTS/spock-core-2.3-groovy-4.0.jar:$ARTIFACTS/groovy-4.0.24.jar:$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
     command="java -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests --disable-banner" ;;
esac
compile() {
  rm -rf main tests
  mkdir -p main tests
  javac -g -d main src/p/*.java || exit 1
  cp -r resources/. main/
  java -cp "$api" org.codehaus.groovy.tools.FileSystemCompiler -cp "main:$api" -d tests test/p/*.groovy || exit 1
}
program
cat >test/p/CalcTest.groovy <<GROOVY
package p
import spock.lang.Specification
class CalcTest extends Specification {
  private static void ran(String name) { System.out.println("RAN:" + name) }
  def "file of data"() { ran("data"); when: def n = new FileInputStream("data.txt").withCloseable { it.read() - 48 }
    then: n == 2 }
  def "$sum"() { ran("add"); expect: new Calc().add(2, 3) == 5 }
  def "product"() { ran("mul"); if (System.getenv("KILL") != null) Runtime.getRuntime().halt(137)
    expect: new Calc().mul(a, b) == c
    where: a | b || c
           2 | 3 || 6
           1 | 4 || 4 }
  def who() { ran("who"); expect: new Derived().who().length() == 4 }
  def config() { ran("config"); expect: Config.read().length() == 3 }
  def kill() { ran("kill"); expect: true }
}
GROOVY
new_test() {
  sed 's/CalcTest/MoreTest/; s/("\([a-z]*\)")/("more-\1")/; /def "file/,/then/d; /def "product"/,/1 | 4/d; /def [wck]/d' \
    test/p/CalcTest.groovy >test/p/MoreTest.groovy
}
"$2"
done_with
