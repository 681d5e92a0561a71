#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig check in brief: clean | caught ADAPTER SEED
#   clean     no rule is violated in 60 pairs, and JSON and JUnit XML say so too
#   caught    a selector that is known to be unsafe is caught, and the pair repeats
# Environment: REJIG REJIG_AGENT REJIG_JUNIT_JAR REJIG_CHECK_JAR REJIG_ARTIFACTS_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../support/fetch_artifacts" junit "$REJIG_ARTIFACTS_DIR/junit"
REJIG_RUNNER=$REJIG_ARTIFACTS_DIR/junit/junit-4.13.2.jar:$REJIG_ARTIFACTS_DIR/junit/hamcrest-core-1.3.jar
export REJIG_RUNNER
cd "$work"

fail() {
  echo "FAILED: $*"
  cat out.* 2>/dev/null || true
  exit 1
}

case $1 in
  clean)
    "$REJIG" -q check --pairs 60 --seed 1 -j 2 --minimise 5 --junit junit.xml --format json > out.json || fail "exit code $?"
    python3 - <<'PY' || fail "what it says"
import json, re, sys
import xml.etree.ElementTree as xml
answer = json.load(open("out.json"))
assert answer["schema"] == "rejig.check/1"
assert answer["counts"]["pairs"] >= 60 and answer["counts"]["flips"] > 20, answer["counts"]
assert answer["counts"]["stale_pairs"] > 10 and answer["counts"]["selected"] > 20
rules = {r["id"]: r for r in answer["rules"]}
assert sorted(rules) == ["R%d" % n for n in range(1, 8)]
assert all(r["checked"] > 0 and r["violated"] == 0 for r in rules.values()), rules
assert any(k.startswith("E") for k in answer["operators"]) and len(answer["families"]) > 5
assert answer["families"]["own"] > 5 and answer["families"]["rich"] > 5, answer["families"]
# Every unaffected test that was selected without having run a changed method has a cause.
assert sum(answer["causes"].values()) == answer["counts"]["selected_unexplained"] > 0, answer["causes"]
assert all(re.fullmatch(r"all|[A-Z]+[0-9]+( [A-Z]+[0-9]+)*", k) for k in answer["causes"]), answer["causes"]
suite = xml.parse("junit.xml").getroot()
assert suite.get("failures") == "0" and len(suite.findall("testcase")) == 7
PY
    "$REJIG" -q check --pairs 10 --seed 3 -j 1 > out.one || fail "exit code $?"
    "$REJIG" -q check --pairs 10 --seed 3 -j 3 > out.three || fail "exit code $?"
    cmp out.one out.three || fail "threads change the answer"
    # A revision of 1010532 makes javac 17 crash: it is left out, and the others are judged.
    "$REJIG" -q check --pairs 10 --seed 1010532 -j 1 > out.crash || fail "a compiler that crashes: exit code $?"
    grep -q '^1[0-9] pairs ' out.crash || fail "the pairs beside it"
    # On a terminal a line says how far it is, and is gone at the end; in a file there is none.
    python3 - <<'PY' || fail "the progress line"
import os, pty, re, subprocess
def errors(terminal):
    ours, its = pty.openpty() if terminal else os.pipe()
    run = subprocess.Popen([os.environ["REJIG"], "check", "--pairs", "10", "--seed", "3", "-j", "1"], stdout=subprocess.DEVNULL, stderr=its)
    os.close(its)
    text = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:
            more = b""
        if not more:
            break
        text += more
    assert run.wait() == 0, text
    return text.decode()
lines = re.findall(r"\rrejig: (\d+) pairs, 0 violations, \d+ pairs a minute ", errors(True))
assert lines and int(lines[-1]) >= 10, lines
assert "\r" not in errors(False)
PY
    ;;
  caught)
    code=0
    "$REJIG" -q check --pairs 30 --seed "$3" -j 2 --minimise 5 --tool "$here/../../apps/check/adapters/$2" --junit junit.xml > out.txt || code=$?
    [ "$code" = 1 ] || fail "exit code $code"
    grep -q '^  R1 .* VIOLATED$' out.txt || fail "R1 is not violated"
    grep -q '^  R5 .* 0 violations$' out.txt || fail "R5 is violated"
    pair=$(sed -n 's/^R1 violated by \([0-9]*:[0-9]\).*/\1/p' out.txt | head -1)
    program=$(sed -n 's/^  program: //p' out.txt | head -1)
    grep -q '^>> ' "$program" || fail "no program"
    python3 - "$pair" <<'PY' || fail "the JUnit XML"
import sys
import xml.etree.ElementTree as xml
suite = xml.parse("junit.xml").getroot()
failed = {case.get("name").split()[0]: case.find("failure").text for case in suite if case.find("failure") is not None}
assert int(suite.get("failures")) == len(failed) and sys.argv[1] + " [" in failed["R1"] and "R5" not in failed, failed
PY
    code=0
    "$REJIG" -q check --only "$pair" --minimise 0 --tool "$here/../../apps/check/adapters/$2" > out.again || code=$?
    [ "$code" = 1 ] && grep -q "^R1 violated by $pair " out.again || fail "$pair does not repeat"
    code=0
    "$REJIG" -q check --only "$pair" --minimise 0 > out.ours || code=$?
    [ "$code" = 0 ] || fail "rejig is not safe for $pair either"
    ;;
  *) exit 2 ;;
esac
