#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kotlin.sh LIFE: tests in Kotlin (names with blanks, lambdas, a companion, a data
# class, a default argument) of a program in Java, run by the console launcher.
. "$(dirname "$0")/lib.sh"
stdlib=$ARTIFACTS/kotlin-stdlib-2.1.21.jar
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar:$stdlib
compiler=$(printf '%s:' "$ARTIFACTS"/kotlin-*.jar "$ARTIFACTS"/kotlinx-*.jar "$ARTIFACTS"/trove4j-*.jar "$ARTIFACTS"/annotations-*.jar)
command="java -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests --disable-banner"
# The compiler takes seconds: only when a source of the tests is new.
compile() {
  rm -rf main
  mkdir -p main
  javac -g -d main src/p/*.java || exit 1
  cp -r resources/. main/
  if [ ! -d tests ] || [ -n "$(find test -newer tests/compiled -name '*.kt')" ]; then
    rm -rf tests
    java -XX:TieredStopAtLevel=1 -cp "$compiler" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \
      -cp "main:$api" -d tests test/p || exit 1
    touch tests/compiled
  fi
}
program
cat >test/p/CalcTest.kt <<'KOTLIN'
package p

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import java.io.FileInputStream

data class Pair2(val a: Int, val b: Int = 3)

class CalcTest {
  companion object { fun ran(name: String) { println("RAN:" + name) } }
  @Test fun `file of data`() { ran("data"); FileInputStream("data.txt").use { assertEquals(2, it.read() - 48) } }
  @Test fun `sum of two, and more`() { ran("add"); val p = Pair2(2); assertEquals(5, Calc().add(p.a, p.b)) }
  @Test fun mul() { ran("mul"); if (System.getenv("KILL") != null) Runtime.getRuntime().halt(137); assertEquals(listOf(6), listOf(Pair2(2)).map { (a, b) -> Calc().mul(a, b) }) }
  @Test fun who() { ran("who"); assertEquals(4, Derived().who().length) }
  @Test fun config() { ran("config"); assertEquals(3, Config.read().length) }
  @Test fun kill() { ran("kill") }
}
KOTLIN
new_test() {
  sed 's/CalcTest/MoreTest/; s/("\([a-z]*\)")/("more-\1")/; /fun [mwck][a-z]*()/d; /fun `file/d; /^data class/d' \
    test/p/CalcTest.kt >test/p/MoreTest.kt
}
"$1"
# Only a test changes.
sed -i 's/listOf(6), listOf/listOf(6) + listOf<Int>(), listOf/' test/p/CalcTest.kt
compile
expect 'a lambda in a test' 0 mul
done_with
