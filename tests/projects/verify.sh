#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rejig verify` and `rejig baseline` after real runs of the console launcher.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
everything="java -jar $api -cp main:tests --scan-classpath tests --disable-banner --reports-dir reports"
command=$everything
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''

# says NAME EXIT TEXT COMMAND...: both streams together hold the text.
says() {
  name=$1
  exit_code=$2
  text=$3
  shift 3
  "$@" >"$work/said" 2>&1
  got=$?
  if [ "$got" != "$exit_code" ] || ! grep -qF -- "$text" "$work/said"; then
    echo "FAILED $name: exit $got, wanted $exit_code and '$text' in:"
    cat "$work/said"
    failures=$((failures + 1))
  else
    echo "ok $name"
  fi
}

echo 2 >data.txt
compile
all='add mul who config kill data'
says 'nothing selected yet' 2 'selection.ids' "$REJIG" verify --reports 'reports/*.xml'
says 'no baseline yet' 2 'matrix.db' "$REJIG" baseline list
expect 'first run' 0 $all
says 'everything was selected' 0 'everything was selected: suite default' "$REJIG" verify --reports 'reports/*.xml'
edit 's/return a \* b/return b * a + 0/' src/p/Calc.java
expect 'body change' 0 mul
says 'all ran' 0 '1 of 1 selected tests are in the 3 reports' "$REJIG" verify --reports 'reports/*.xml'
edit 's/return b \* a + 0/return a * b/' src/p/Calc.java
command="java -jar $api -cp main:tests -m p.CalcTest#who --disable-banner"
expect 'a command that leaves out what must run' 0
mkdir gap
cat >gap/TEST-other.xml <<'XML'
<testsuite name="p.CalcTest"><testcase classname="p.CalcTest" name="who()"/></testsuite>
XML
says 'a gap' 1 'selected, and in no report: p.CalcTest#mul()' "$REJIG" verify --reports gap
says 'a gap in JSON' 1 '"gaps": ["p.CalcTest#mul()"]' "$REJIG" verify --reports gap --format json
says 'no report' 2 'no file matches' "$REJIG" verify --reports 'nowhere/*.xml'
echo '<testsuite' >gap/TEST-broken.xml
says 'a broken report' 2 'TEST-broken.xml' "$REJIG" verify --reports gap
command=$everything
expect 'what was left out is still pending' 0 mul
printf 'p.CalcTest#who()\n' >mine.ids
says 'a list of ones own' 1 'p.CalcTest#who()' "$REJIG" verify --selection mine.ids --reports 'reports/*.xml'
printf 'nonsense\n' >mine.ids
says 'no list' 2 'no test id: nonsense' "$REJIG" verify --selection mine.ids --reports 'reports/*.xml'

says 'list' 0 'default  6 tests; ' "$REJIG" baseline list
says 'list says the program' 0 "$work/tests" "$REJIG" baseline list
says 'drop what' 2 'say which' "$REJIG" baseline drop
says 'drop a stranger' 2 "Did you mean 'default'?" "$REJIG" baseline drop defaul
says 'an unknown action' 2 "Did you mean 'drop'?" "$REJIG" baseline dorp
expect 'no change' 0
says 'drop' 0 'dropped 1 baseline;' "$REJIG" baseline drop default
says 'list after it' 0 'default  6 tests; no baseline, everything runs' "$REJIG" baseline list
expect 'everything after the drop' 0 $all
expect 'then no change' 0
[ "$(ls .rejig/baseline/* | wc -l)" = 1 ] || { echo 'FAILED: old programs are left'; ls -R .rejig | head -40; failures=$((failures + 1)); }
done_with
