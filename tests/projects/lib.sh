# SPDX-License-Identifier: Apache-2.0
# What the scripts here share: REJIG, REJIG_AGENT, REJIG_JUNIT_JAR and ARTIFACTS
# come from ctest. `ran` holds the tests that ran, sorted, blank-separated: each
# says so on standard output (a file that they wrote would be an input of theirs).
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
# What the command answers when a test fails, and when its JVM dies.
failed_exit=1
killed_exit=137
# What a JVM that dies is known to have run. Empty: what it printed may have been lost on its way through the build tool.
killed_ran=mul

# For so few classes a compiler need not compile itself.
javac() { command javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"; }

compile() {
  rm -rf main tests
  mkdir -p main tests
  javac -g -d main src/p/*.java || exit 1
  [ ! -d resources ] || cp -r resources/. main/
  javac -g -cp "main:$api" -d tests test/p/*.java || exit 1
}

# Did what was wanted run? Tests that overlap share what they did: with `at_least`
# others may run too, but not without a change.
as_wanted() {
  [ "$ran" != "$wanted" ] || return 0
  [ -z "${may_run:-}" ] || [ "$ran" != "$may_run" ] || return 0
  [ -n "${at_least:-}" ] && [ -n "$wanted" ] || return 1
  for test in $wanted; do
    case " $ran" in *" $test "*) ;; *) return 1 ;; esac
  done
}

# expect NAME EXIT TEST...: one round of `rejig run`.
expect() {
  name=$1
  exit_code=$2
  shift 2
  "$REJIG" run ${flags:-} -- sh -c "$command" >"$work/out" 2>"$work/err"
  got=$?
  ran=$(sed -n 's/^.*RAN://p' "$work/out" | sort -u | tr '\n' ' ')
  wanted=
  [ $# -eq 0 ] || wanted=$(printf '%s\n' "$@" | sort -u | tr '\n' ' ')
  if [ "$got" != "$exit_code" ] || ! as_wanted; then
    echo "FAILED $name: exit $got, wanted $exit_code; ran [$ran], wanted [$wanted]"
    cat "$work/out" "$work/err"
    failures=$((failures + 1))
  else
    echo "ok $name: $ran$(grep '^rejig: ' "$work/err" | tail -1)"
  fi
}

program() {
  mkdir -p src/p test/p resources
  cat >src/p/Calc.java <<'JAVA'
package p;
public class Calc {
  public int add(int a, int b) { return a + b; }
  public int mul(int a, int b) { return a * b; }
}
JAVA
  cat >src/p/Config.java <<'JAVA'
package p;
public class Config {
  public static String read() throws Exception {
    try (java.io.InputStream in = Config.class.getResourceAsStream("/config.txt")) {
      return new String(in.readAllBytes()).trim();
    }
  }
}
JAVA
  cat >src/p/Base.java <<'JAVA'
package p;
public class Base { public String who() { return "base"; } }
JAVA
  cat >src/p/Derived.java <<'JAVA'
package p;
public class Derived extends Base { }
JAVA
  echo one >resources/config.txt
}

# The test class; $1 imports, $2 is put in front of "class".
test_class() {
  cat >test/p/CalcTest.java <<JAVA
package p;
$1
$2 class CalcTest {
  private static void ran(String name) { System.out.println("RAN:" + name); }
  @Test public void data() throws Exception { ran("data"); try (java.io.FileInputStream in = new java.io.FileInputStream("data.txt")) { assertEquals(2, in.read() - 48); } }
  @Test public void add() throws Exception { ran("add"); assertEquals(5, new Calc().add(2, 3)); }
  @Test public void mul() throws Exception { ran("mul"); if (System.getenv("KILL") != null) Runtime.getRuntime().halt(137); assertEquals(6, new Calc().mul(2, 3)); }
  @Test public void who() throws Exception { ran("who"); assertEquals(4, new Derived().who().length()); }
  @Test public void config() throws Exception { ran("config"); assertEquals(3, Config.read().length()); }
  @Test public void kill() throws Exception { ran("kill"); }
}
JAVA
}

edit() { sed -i "$1" "$2" && compile; }

new_test() {
  sed 's/CalcTest/MoreTest/; s/("\([a-z]*\)")/("more-\1")/; /void [mwckd]/d' \
    test/p/CalcTest.java >test/p/MoreTest.java
}

# What every project goes through.
life() {
  echo 2 >data.txt
  compile
  all='add mul who config kill data'
  expect 'first run' 0 $all
  expect 'no change' 0
  edit 's/return a \* b/return b * a + 0/' src/p/Calc.java
  expect 'body change' 0 mul
  expect 'then no change' 0
  edit 's/{ }/{ public String who() { return "over"; } }/' src/p/Derived.java
  expect 'new override' 0 who
  echo two >resources/config.txt
  compile
  expect 'resource change' 0 config
  echo '2 and more' >data.txt
  expect 'change of a file that is on no class path' 0 data
  expect 'no change after it' 0
  edit 's/return b \* a + 0/return b * a + 1/' src/p/Calc.java
  expect 'failed test' $failed_exit mul
  expect 'failed again' $failed_exit mul
  edit 's/return a + b/return b + a/' src/p/Calc.java
  expect 'two changes in a row' $failed_exit add mul
  edit 's/return b \* a + 1/return b * a + 0/' src/p/Calc.java
  expect 'revert' 0 mul
  new_test
  compile
  expect 'new test' 0 more-add
  expect 'then no change' 0
  KILL=1
  export KILL
  edit 's/return b \* a + 0/return a * b/' src/p/Calc.java
  [ -n "$killed_ran" ] || may_run='mul '
  expect 'killed in the middle' $killed_exit $killed_ran
  may_run=
  unset KILL
  expect 'what the kill left pending' 0 mul
  expect 'no change after the kill' 0
  flags=--all
  expect 'all' 0 $all more-add
  flags=--dry-run
  expect 'dry run' 0 $all more-add
  flags=
  REJIG_OFF=1
  export REJIG_OFF
  expect 'switched off' 0 $all more-add
  unset REJIG_OFF
  expect 'no change after it' 0
}

# The same with less rounds.
brief() {
  echo 2 >data.txt
  compile
  all='add mul who config kill data'
  expect 'first run' 0 $all
  expect 'no change' 0
  edit 's/{ }/{ public String who() { return "over"; } }/' src/p/Derived.java
  expect 'new override' 0 who
  edit 's/return a \* b/return b * a + 1/' src/p/Calc.java
  expect 'failed test' $failed_exit mul
  echo two >resources/config.txt
  edit 's/return b \* a + 1/return a * b/' src/p/Calc.java
  expect 'revert, and a resource' 0 mul config
  expect 'then no change' 0
}

# What cannot be asked runs everything, in every round.
everything() {
  echo 2 >data.txt
  compile
  all='add mul who config kill data'
  expect 'first run' 0 $all
  expect 'no change' 0 $all
  edit 's/return a \* b/return b * a + 1/' src/p/Calc.java
  expect 'failed test' $failed_exit $all
  edit 's/return b \* a + 1/return a * b/' src/p/Calc.java
  expect 'revert' 0 $all
}

# The last round said why everything ran.
says_why() {
  grep -q 'rejig: .*\(did not request a selection\|no tests were recorded\)' "$work/err" \
    "$work/out" || {
    echo 'FAILED: it does not say why'; cat "$work/err"; failures=$((failures + 1)); }
}

done_with() {
  [ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
}
