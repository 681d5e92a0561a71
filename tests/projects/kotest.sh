#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kotest.sh: specs of Kotest 5, run by the console launcher. Kotest runs the classes that it found itself, whatever a filter of the
# Platform takes away: every spec has a row, and every spec runs.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/kotlin_lib.sh"
kotest=$(printf '%s:' "$ARTIFACTS"/../kotest/*.jar)
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar:$kotest$stdlib
command="java -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests -n '.*Spec' --disable-banner --details=none"
program
cat >test/p/Specs.kt <<'KOTLIN'
package p

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe

fun ran(name: String) { println("RAN:" + name) }

class AddSpec : FunSpec({
  test("sum of two") { ran("add"); Calc().add(2, 3) shouldBe 5 }
})
class MulSpec : StringSpec({
  "product" { ran("mul"); Calc().mul(2, 3) shouldBe 6 }
  "product of many" { ran("mul-many"); Calc().mul(2, 3) shouldBe 6 }
})
class WhoSpec : FunSpec({
  context("of a class") { test("derived") { ran("who"); Derived().who().length shouldBe 4 } }
})
class ConfigSpec : FunSpec({
  test("config") { ran("config"); Config.read().length shouldBe 3 }
})
KOTLIN
compile
all='add mul mul-many who config'
expect 'first run' 0 $all
expect 'no change' 0 $all
edit 's/return a \* b/return a * b + 1/' src/p/Calc.java
expect 'a change that fails' 1 $all
edit 's/return a \* b + 1/return a * b/' src/p/Calc.java
expect 'revert' 0 $all
rows=$("$REJIG" coverage export --store .rejig/matrix.db --format ndjson | grep -o '"test":"[^"]*"' | sort | tr '\n' ' ')
wanted='"test":"p.AddSpec#*" "test":"p.ConfigSpec#*" "test":"p.MulSpec#*" "test":"p.WhoSpec#*" '
[ "$rows" = "$wanted" ] || { echo "FAILED: rows of $rows"; failures=$((failures + 1)); }
done_with
