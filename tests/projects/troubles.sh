#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What can be wrong around `rejig run`: the command runs, everything runs, one
# line says why.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
everything="java -jar $api -cp main:tests --scan-classpath tests --disable-banner"
command=$everything
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
echo 2 >data.txt
compile
all='add mul who config kill data'

# because NAME TEXT: the last round said so, once and in one line.
# (What the store is, it says before the run and when it cannot commit.)
because() {
  if [ "$(grep -cF -- "$2" "$work/err")" != 1 ]; then
    echo "FAILED $1: not one line with '$2':"
    cat "$work/err"
    failures=$((failures + 1))
  fi
}
ready() {
  expect 'a run' 0 $all
  expect 'no change' 0
}
forget() { rm -rf .rejig; }

ready
echo 'no database' >.rejig/matrix.db
flags=--strict
expect 'a store that is none' 2 $all
flags=
expect 'a store that is none, as good as the command' 0 $all
because 'a store that is none' 'everything runs: '
forget

ready
rm -rf .rejig/baseline/*
expect 'the old program is gone' 0 $all
because 'the old program is gone' 'everything runs: '
expect 'then it is there' 0

printf 'nonsense' >"$(ls -d .rejig/baseline/*/*)/class-path"
expect 'the old program is of another version' 0 $all
because 'another version' 'not a baseline of this version'
forget

# The rows of a JVM in the middle of a run.
ready
command="$everything; for f in \$REJIG_OUT/*.rows; do printf 'rejigrow\\0\\0\\0\\7\\0\\0\\0\\0' >\$f; done"
sed -i 's/return a \* b/return b * a + 0/' src/p/Calc.java
compile
expect 'rows of another version of the recorder' 0 mul
because 'rows of another version' 'recordings of this run are incomplete'
command=$everything
expect 'they counted for nothing' 0 mul
command="$everything; for f in \$REJIG_OUT/*.rows; do dd if=/dev/urandom of=\$f bs=1 seek=2000 count=500 conv=notrunc 2>/dev/null; done"
sed -i 's/return b \* a + 0/return a * b/' src/p/Calc.java
compile
expect 'corrupt rows' 0 mul
command=$everything
expect 'they counted for nothing either' 0 mul
expect 'no change after it' 0
forget

# Another program in the place of this one.
ready
rm -rf main tests
mkdir other
sed 's/package p/package q/' test/p/CalcTest.java | sed 's/new Derived().who().length()/4/; s/new Calc().add(2, 3)/5/; s/new Calc().mul(2, 3)/6/; s/Config.read().length()/3/' >other/CalcTest.java
mkdir main tests
javac -cp "$api" -d tests other/CalcTest.java || exit 1
expect 'the store of another program' 0 $all
forget
compile

echo 'a file' >not-a-folder
flags='--strict --store not-a-folder/matrix.db'
expect 'a folder that cannot be' 2 $all
flags='--store not-a-folder/matrix.db'
expect 'a folder that cannot be, as good as the command' 0 $all
because 'a folder that cannot be' 'everything runs, nothing is recorded'
flags=

command='java -version'
expect 'no test runner' 0
because 'no test runner' 'no tests were recorded'
command='java -Xshare:dump -XX:SharedArchiveFile=archive.jsa'
expect 'a JVM that dumps classes takes no agent, and says so' 1
grep -q 'CDS dumping does not support native JVMTI agent' "$work/out" "$work/err" || {
  echo 'FAILED: it does not say so'; cat "$work/out" "$work/err"; failures=$((failures + 1)); }
command='no-such-command'
expect 'no such command' 127
command="$everything"
REJIG_AGENT_HERE=$REJIG_AGENT
REJIG_AGENT=$work/nowhere.so
export REJIG_AGENT
flags=--strict
expect 'no recorder' 2 $all
flags=
expect 'no recorder, as good as the command' 0 $all
because 'no recorder' "the recorder's library was not found"
REJIG_AGENT=$REJIG_AGENT_HERE
forget
echo 'grant { permission java.security.AllPermission; };' >all.policy
manager="java -Djava.security.manager -Djava.security.policy==$work/all.policy"
command="$manager -jar $api -cp main:tests --scan-classpath tests --disable-banner"
expect 'a security manager that permits everything' 0 $all
expect 'and no change' 0
# One that permits next to nothing: what runs, and how it ends, is what it was.
command="java -Djava.security.manager -jar $api -cp main:tests --scan-classpath tests --disable-banner"
"$REJIG" run -- sh -c "$command" >"$work/out" 2>"$work/err"
with=$?
sh -c "$command" >"$work/out2" 2>"$work/err2"
[ "$with" = $? ] && [ "$(grep -o RAN:.* "$work/out")" = "$(grep -o RAN:.* "$work/out2")" ] || {
  echo "FAILED a security manager: exit $with"; cat "$work/out" "$work/err"; failures=$((failures + 1)); }
done_with
