#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig study with a program of two changes: the figures, the files, and that what is done is not done again.
# Environment: REJIG REJIG_AGENT REJIG_JUNIT_JAR REJIG_ARTIFACTS_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../support/fetch_artifacts" junit "$REJIG_ARTIFACTS_DIR/junit"
cd "$work"
runner=$REJIG_ARTIFACTS_DIR/junit/junit-4.13.2.jar:$REJIG_ARTIFACTS_DIR/junit/hamcrest-core-1.3.jar

fail() {
  echo "FAILED: $*"
  cat out err rejig-study/*/*/log 2>/dev/null || true
  exit 1
}

# version NAME A B: two classes and a test of each
version() {
  mkdir -p "$1/src" "$1/main" "$1/tests"
  echo "public class A { static int f() { return $2; } }" > "$1/src/A.java"
  echo "public class B { static int f() { return $3; } }" > "$1/src/B.java"
  for c in A B; do
    echo "public class ${c}Test { @org.junit.Test public void t() { org.junit.Assert.assertEquals(1, $c.f()); } }" > "$1/src/${c}Test.java"
  done
  javac -d "$1/main" "$1/src/A.java" "$1/src/B.java"
  javac -cp "$1/main:$runner" -d "$1/tests" "$1/src/ATest.java" "$1/src/BTest.java"
}
version one 1 1
version two 2 1
version three 2 1

cat > study.toml <<TOML
command = ["java", "-cp", "{classpath}:$runner", "org.junit.runner.JUnitCore"]
[[program]]
name = "two-classes"
arguments = ["ATest", "BTest"]
version = [
  { name = "1", jars = ["one/main"], tests = ["one/tests"] },
  { name = "2", jars = ["two/main"], tests = ["two/tests"] },
  { name = "3", jars = ["three/main"], tests = ["three/tests"] },
]
TOML
"$REJIG" study study.toml --format csv > out 2> err || fail "exit code $?"
[ "$(grep -c 'running its tests' err)" = 3 ] || fail "versions run"
row() { awk -F, -v n="$1" -v v="$2" '$2 == n && $13 == v { print $7, $8, $14, $15, $17, $18, $19 }' out; }
# tests classes selected selected-classes hard affected missed
[ "$(row 1 method)" = "2 2 1 1 0 1 0" ] || fail "1 to 2 is $(row 1 method)"
[ "$(row 1 class)" = "2 2 1 1 0 1 0" ] || fail "1 to 2 by classes is $(row 1 class)"
# A test that failed is run again.
[ "$(row 2 method)" = "2 2 1 1 0 0 0" ] || fail "2 to 3 is $(row 2 method)"
for f in table.md table.csv selected.svg ratio.svg; do [ -s "rejig-study/$f" ] || fail "no $f"; done
python3 -c 'import sys, xml.dom.minidom as x; [x.parse("rejig-study/" + f) for f in ("selected.svg", "ratio.svg")]' || fail "plots"
cp out before
"$REJIG" study study.toml --format csv > out 2> err || fail "again"
grep -q 'running its tests' err && fail "ran again"
cmp -s out before || fail "other figures"
echo 'nonsense = 1' >> study.toml
code=0
"$REJIG" study study.toml > out 2> err || code=$?
[ "$code" = 2 ] || fail "nonsense is accepted"
