#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Coverage of other tools, made by the real tool where it runs here:
#   import.sh REJIG PROBE_DUMP SOURCE_DIR ARTIFACTS
# JaCoCo's own numbering of its probes is compared with rejig's on a thousand
# classes of several compilers; then rows recorded by its agent are imported.
# PIT, Teamscale and LCOV come as their documentation says (golden input).
set -eu
rejig=$1 probe_dump=$2 here=$3/tests/unit/coverage_store/jacoco artifacts=$4/jacoco
sh "$3/tests/support/fetch_artifacts" jacoco "$artifacts"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset REJIG_COVERAGE REJIG_SUITE JAVA_TOOL_OPTIONS
export HOME="$work" XDG_CONFIG_HOME="$work/xdg" LC_ALL=C.UTF-8

fail() { echo "FAILED: $1" >&2; exit 1; }
# same NAME EXPECTED ACTUAL
same() {
  [ "$2" = "$3" ] && return
  printf '%s\n' "$2" > expected
  printf '%s\n' "$3" > actual
  diff -u expected actual >&2 || true
  fail "$1"
}

jars=$(ls "$artifacts"/*.jar)
core=$(echo $jars | tr ' ' ':')
mkdir tools
javac -proc:none -cp "$core" -d tools "$here/ProbeDump.java"
java -cp "tools:$core" ProbeDump $jars > theirs
"$probe_dump" $jars > ours
cmp theirs ours || fail "the numbering of probes differs from JaCoCo's"
[ "$(grep -c '^[^ ]' ours)" -gt 300 ] || fail "too few classes were compared"

agent=$artifacts/org.jacoco.agent-0.8.12-runtime.jar
mkdir classes
javac -g -proc:none --release 17 -cp "$agent" -d classes "$here/Sample.java"
java -javaagent:"$agent"=destfile=jacoco.exec,includes=sample.*,dumponexit=false \
     -cp classes sample.Sample
"$rejig" coverage import --from jacoco --classes classes --result pass jacoco.exec 2> err
grep -q 'lower bounds' err || fail "nothing says that the rows are lower bounds"
show() {
  "$rejig" coverage show "$@" | sed -n 's/^    \(m:.*\)/\1/p' | grep -v 'Sample[.]main('
}
same "a session is a test" "m:sample.Sample.branch(I)I" \
     "$(show 'sample.SampleTest#branches()')"
# onlyCalls() ran, and JaCoCo does not know: why the rows are lower bounds.
same "a throw is seen, its caller is not" "m:sample.Sample.pick(I)Ljava/lang/String;
m:sample.Sample.throwing()V" "$(show 'sample.SampleTest#picks()')"
"$rejig" coverage stats | grep -q 'grade lower-bound *[23]' || fail "grade"
"$rejig" coverage stats | grep -q 'classes with digest *1' || fail "digest"

# Other bytes than those that were recorded.
mkdir changed
sed 's/return 7/return 8/' "$here/Sample.java" > Sample.java
javac -g -proc:none --release 17 -cp "$agent" -d changed Sample.java
"$rejig" coverage import --from jacoco --classes changed --store changed.db jacoco.exec 2> err
grep -q 'other bytes' err || fail "nothing says that the bytes differ"
"$rejig" coverage stats --store changed.db | grep -q 'grade foreign *[23]' || fail "foreign"

# Damaged files are errors, and the store stays.
cp .rejig/matrix.db before.db
size=$(wc -c < jacoco.exec)
head -c $((size - 1)) jacoco.exec > short.exec
for bad in short.exec "$here/Sample.java"; do
  if "$rejig" coverage import --from jacoco --classes classes "$bad" 2> err; then
    fail "$bad was imported"
  fi
  grep -q ' @[0-9]*: ' err || fail "no offset in: $(cat err)"
done
cmp .rejig/matrix.db before.db || fail "a failed import changed the store"

cat > linecoverage.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<coverage><block classname='sample.Sample' method='branch(I)I' number='0'><tests>
<test name='sample.SampleTest.[engine:junit-jupiter]/[class:sample.SampleTest]/[method:one(int, java.lang.String)]'/>
<test name='sample.OldTest.two(sample.OldTest)'/></tests></block>
<block classname='sample.Sample' method='pick(I)Ljava/lang/String;' number='0'><tests>
<test name='sample.OldTest.two(sample.OldTest)'/></tests></block></coverage>
XML
"$rejig" coverage import --from pit --store pit.db linecoverage.xml
same "PIT, JUnit 5" "m:sample.Sample.branch(I)I" \
     "$(show --store pit.db 'sample.SampleTest#one(int,java.lang.String)')"
same "PIT, JUnit 4" "m:sample.Sample.branch(I)I
m:sample.Sample.pick(I)Ljava/lang/String;" "$(show --store pit.db 'sample.OldTest#two()')"
"$rejig" coverage stats --store pit.db | grep -q 'result pass *2' || fail "PIT runs green suites"
printf '<!DOCTYPE coverage [<!ENTITY a "aaaa">]><coverage>&a;</coverage>' > bomb.xml
"$rejig" coverage import --from pit --store pit.db bomb.xml 2> err && fail "a document type was accepted"
grep -q 'bomb.xml:1:[0-9]*: a document type' err || fail "$(cat err)"

line=$(grep -n 'return 7' "$here/Sample.java" | cut -d: -f1)
cat > testwise.json <<JSON
{"partial":false,"tests":[
 {"uniformPath":"sample/SampleTest/one()","duration":0.25,"result":"PASSED",
  "paths":[{"path":"sample","files":[{"fileName":"Sample.java","coveredLines":"1-2,$line"}]}]},
 {"uniformPath":"sample/SampleTest/skipped","result":"SKIPPED","paths":[]}]}
JSON
"$rejig" coverage import --from testwise --classes classes --store tw.db testwise.json
same "Teamscale lines" "m:sample.Sample.unused()I" "$(show --store tw.db 'sample.SampleTest#one()')"
"$rejig" coverage show --store tw.db 'sample.SampleTest#one()' | grep -q 'lower-bound, pass, 250 ms' || fail "Teamscale row"
"$rejig" coverage show --store tw.db 'sample.SampleTest#skipped()' | grep -q 'partial, skip' || fail "Teamscale skip"
sed 's/1-2,/2-1,/' testwise.json > bad.json
"$rejig" coverage import --from testwise --classes classes --store tw.db bad.json 2> err && fail "2-1 is no range"
grep -q 'bad.json:3:' err || fail "$(cat err)"

printf 'TN:sample.SampleTest.all\nSF:src/main/java/sample/Sample.java\nFN:%s,x\nDA:%s,1\nDA:%s,0\nend_of_record\n' \
       "$line" "$line" "$((line + 3))" > coverage.dat
"$rejig" coverage import --from lcov --classes classes --store lcov.db coverage.dat
same "LCOV" "m:sample.Sample.unused()I" "$(show --store lcov.db 'sample.SampleTest#all()')"
"$rejig" coverage import --from lcov --classes classes --store target.db --test '//sample:test' coverage.dat
"$rejig" coverage show --store target.db 'm:sample.Sample.unused()I' | grep -q 'sample:test' || fail "LCOV of a target"
printf 'SF:x\nDA:1\n' > bad.dat
"$rejig" coverage import --from lcov --classes classes --store lcov.db bad.dat --test T 2> err && fail "DA:1 was accepted"
grep -q 'bad.dat:2:1: DA:' err || fail "$(cat err)"
echo "all passed"
