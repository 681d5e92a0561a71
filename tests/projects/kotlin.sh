#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kotlin.sh LIFE: tests in Kotlin (names with blanks, lambdas, a companion, a data
# class, a default argument) of a program in Java, run by the console launcher.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/kotlin_lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar:$stdlib
command="java -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests --disable-banner"
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
