#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig study with variants of one version: figures by kind, a variant that does not end, a test that differs by itself, a miss that audit finds in
# the raw reports, too; and what is left of a study that was killed.
# Environment: REJIG REJIG_AGENT REJIG_JUNIT_JAR REJIG_ARTIFACTS_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../support/fetch_artifacts" audit "$REJIG_ARTIFACTS_DIR/audit"
console=$REJIG_ARTIFACTS_DIR/audit/junit-platform-console-standalone-1.10.5.jar
cd "$work"

fail() {
  echo "FAILED: $*"
  cat out err 2>/dev/null || true
  exit 1
}

mkdir -p src main tests
cat > src/A.java <<'END'
public class A { static int f() { return 1; } static int g() { return 2; } }
END
cat > src/ATest.java <<'END'
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class ATest {
  @Test void f() { assertEquals(1, A.f()); }
  @Test void g() { assertEquals(2, A.g()); }
  // What no row says, so a selection cannot know it.
  @Test void path() { assertFalse(String.join(" ", ProcessHandle.current().info().arguments().orElse(new String[0])).contains("variant")); }
  @Test void flaky() { assertFalse(Boolean.getBoolean("flaky")); }
}
END
javac -d main src/A.java
javac -cp "main:$console" -d tests src/ATest.java
# variant NAME BODY-OF-F
variant() {
  mkdir -p "variant-$1/src"
  echo "public class A { static int f() { $2 } static int g() { return 2; } }" > "variant-$1/src/A.java"
  javac -d "variant-$1" "variant-$1/src/A.java"
  rm -r "variant-$1/src"
}
variant other 'return 7;'
variant same 'return Math.abs(1);'
variant never 'while (true) { }'

# The runner. Its third run (the variant "other" for the first time) has a flaky failure; what the file "kill" names kills the study that asks for it.
cat > run.sh <<'END'
#!/bin/sh
n=$(($(cat "$RUNS") + 1))
echo $n > "$RUNS"
if [ "$(cat "$KILL")" = "$n" ]; then
  : > "$KILL"
  up=$$
  until tr '\0' ' ' < /proc/$up/cmdline | grep -q 'rejig -q study '; do up=$(sed 's/.*) . \([0-9]*\) .*/\1/' /proc/$up/stat); done
  kill -9 "$up"
fi
flaky=
[ $n -ne 3 ] || flaky=-Dflaky=true
exec java -Xshare:auto -XX:TieredStopAtLevel=1 $flaky "$@"
END
RUNS=$work/runs
KILL=$work/kill
export RUNS KILL
cat > study.toml <<TOML
command = ["sh", "$work/run.sh", "-cp", "{classpath}:$console", "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
           "--details=none", "--scan-class-path", "{tests}", "--reports-dir", "{reports}"]
[[program]]
name = "small"
baseline = "first"
seconds = 8
version = [
  { name = "1", jars = ["main"], tests = ["tests"] },
  { name = "other", kind = "body", jars = ["variant-other", "main"], tests = ["tests"] },
  { name = "same", kind = "body", jars = ["variant-same", "main"], tests = ["tests"] },
  { name = "never", kind = "loop", jars = ["variant-never", "main"], tests = ["tests"] },
]
TOML
# study OUT KILLED-AT...: until it is through
study() {
  out=$1
  shift
  echo 0 > "$RUNS"
  for at in "$@" none; do
    echo "$at" > "$KILL"
    code=0
    "$REJIG" -q study study.toml --out "$out" --format csv > out 2> err || code=$?
    [ "$at" = none ] || [ "$code" = 137 ] || fail "not killed at $at: $code"
  done
  [ "$code" = 1 ] || fail "exit code $code"
}
study whole
# kind ended changed tests | selected hard affected missed unobserved
row() { awk -F, -v n="$1" -v v="$2" '$3 == n && $13 == v { print $4, $5, $6, $7, $14, $17, $18, $19, $20 }' "$3"; }
# f and path end otherwise; path, which asks the system for its own command, is missed. flaky, which failed once, is not.
[ "$(row other method whole/table.csv)" = "body 0 2 4 1 1 1 0 0" ] || fail "other is $(row other method whole/table.csv)"
[ "$(row same method whole/table.csv)" = "body 0 1 4 1 1 1 0 0" ] || fail "same is $(row same method whole/table.csv)"
grep -q '^small,1,never,loop,1,,' whole/table.csv || fail "never ended"
grep -q '^| small | method | 3 | 1 | 2 | 25.0 % | 37.5 % | 100.0 % | 2 | 0 | 0 of 2 | 0 of 2 |' whole/table.md || fail "the table"
grep -q '^| loop | method | 1 | 1 | 0 |' whole/table.md || fail "the table by kind"
grep -q '^hard	method	ATest#path()	pass	fail$' whole/small-1-other.figures || fail "the miss has no name"

# The raw reports say the same to audit.
first=$work/whole/small-1/1
for v in other same; do
  runs="--results $work/whole/small-$v/1/plain/reports --results-again $work/whole/small-$v/1/again/1/reports"
  code=0
  # shellcheck disable=SC2086
  (cd "$first/recorded" && "$REJIG" -q audit "$work/main:$work/tests" "$work/variant-$v:$work/main:$work/tests" --coverage "$first/rows.db" --view method $runs > "$work/out") || code=$?
  [ "$code" = 1 ] && grep -q '^  hard misses  1$' out && grep -q 'MISSED ATest#path(): pass, now fail' out || fail "audit of $v"
done
grep -q 'flaky, not counted' out && fail "flaky in same"

# Killed while the first version is recorded, and while the last variant runs: the same figures.
study parts 2 6
cut -d, -f1-8,13-15,17-20 whole/table.csv > a
cut -d, -f1-8,13-15,17-20 parts/table.csv > b
cmp a b || fail "other figures after being killed"
[ -d parts/small-1/2 ] || fail "the recording was not begun anew"
[ -d parts/small-other/1/again/2 ] || fail "the second run of a variant was not begun anew"

code=0
"$REJIG" -q study study.toml --out whole --only none > out 2> err || code=$?
[ "$code" = 2 ] || fail "a program that is not there"
"$REJIG" -q study study.toml --out whole --only small --format csv > out 2> err || [ $? = 1 ] || fail "only small"
cmp out whole/table.csv || fail "only small says something else"
