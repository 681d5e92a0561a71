#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select: who is selected and why, formats, exit codes, stores that cannot be used.
. "$(dirname "$0")/lib.sh" "$@"

two_versions_of_a
{
  printf 'row\tdefault\tt.T#a()\tcomplete\tpass\tall\tm:p.A.f()I\n'
  printf 'row\tdefault\tt.T#b()\tcomplete\tpass\tall\tm:p.A.g()I\n'
  printf 'row\tdefault\tt.T#c()\tcomplete\tfail\tall\tm:p.A.g()I\n'
  printf 'row\tcore/target/test-classes\tt.T#a()\tcomplete\tpass\tall\tm:p.A.g()I\n'
} | "$make_store" m.db || exit 1

exits "ids" 0 "$rejig" select old new --coverage m.db --format ids
same "ids" "t.T#a()
t.T#c()" "$(cat .out)"

exits "json" 0 "$rejig" select old new --coverage m.db --format json
json=$(cat .out)
holds "mode" "$json" '{"mode": "some"}'
holds "counts" "$json" '{"counts": {"known":4,"selected":2,"unaffected":2,"new":0,"gone":0}}'
holds "a test by an edge" "$json" \
  '{"suite":"default","test":"t.T#a()","why":[{"rule":"D1","edge":"E1","atoms":["m:p.A.f()I"]}]}'
holds "a test by its last result" "$json" '{"rule":"T5","edge":"","atoms":[],"why":"its last result was fail"}'
holds "unaffected" "$json" '{"suite":"core/target/test-classes","test":"t.T#a()"}'
holds "assumptions" "$json" '"A15 tests are deterministic"'
case $json in *'"reasons"'*) fail "reasons without mode all" ;; esac

for j in 1 8; do
  exits "-j$j" 0 "$rejig" select old new --coverage m.db --format json -j$j
  same "-j$j gives the same bytes" "$json" "$(cat .out)"
done

exits "ndjson" 0 "$rejig" select old new --coverage m.db --format ndjson
same "end of ndjson" '{"type":"end"}' "$(tail -n 1 .out)"
same "types of ndjson" "edge end header selected selected unaffected unaffected" \
  "$(sed 's/^{"type":"\([a-z]*\)".*/\1/' .out | sort | tr '\n' ' ' | sed 's/ $//')"
exits "gcc" 0 "$rejig" select old new --coverage m.db --format gcc
has "gcc: an affected test" "$(cat .out)" "p/A.java:3:1: info: t.T#a() can be affected by E1 p.A.f()I [D1]"
has "gcc: a forced test" "$(cat .out)" "t/T.java:1:1: info: t.T#c(): its last result was fail [T5]"
exits "github" 0 "$rejig" select old new --coverage m.db --format github
has "github" "$(cat .out)" "::notice title=rejig D1::E1 A.f(): "
exits "dot" 0 "$rejig" select old new --coverage m.db --format dot
has "dot" "$(cat .out)" '"E1" -> "default t.T#a()";'
exits "text" 0 "$rejig" select old new --coverage m.db
has "text" "$(cat .out)" "selected 2 of 4 known tests; 2 unaffected"

exits "--exit-code with a selection" 1 "$rejig" select old new --coverage m.db --exit-code
exits "--strict with some" 0 "$rejig" select old new --coverage m.db --strict
printf 'row\tdefault\tt.T#b()\tcomplete\tpass\tall\tm:p.A.g()I\n' | "$make_store" clean.db || exit 1
exits "--exit-code without" 0 "$rejig" select old new --coverage clean.db --exit-code
exits "nothing selected" 0 "$rejig" select old new --coverage clean.db --format ids
same "nothing selected" "" "$(cat .out)"
"$make_store" empty.db < /dev/null || exit 1
exits "0 of 0" 0 "$rejig" select old new --coverage empty.db
has "0 of 0" "$(cat .out)" "selected 0 of 0 known tests"

# A store that cannot be used means all tests, because ...
exits "no store" 0 "$rejig" select old new --coverage none.db --format ids
same "no store" "# all: there is no matrix yet (none.db)" "$(cat .out)"
exits "no store, strict" 3 "$rejig" select old new --coverage none.db --strict
has "said once on stderr" "$(cat .err)" "all tests, because there is no matrix yet"
head -c 100 m.db > short.db
head -c 5000 /dev/zero > zero.db
: > zero-length.db
echo "not a database at all" > text.db
size=$(wc -c < m.db)
for store in short zero text zero-length; do
  exits "$store.db" 3 "$rejig" select old new --coverage $store.db --strict --format json
  holds "$store.db" "$(cat .out)" '{"mode": "all"}'
done
mkdir dir.db
exits "a directory for a store" 3 "$rejig" select old new --coverage dir.db --strict
# One damaged byte anywhere is never a smaller answer.
good=$("$rejig" select old new --coverage m.db --format ids 2> /dev/null)
at=0
while [ $at -lt "$size" ]; do
  cp m.db bit.db
  printf '\377' | dd of=bit.db bs=1 seek=$at conv=notrunc 2> /dev/null
  ids=$("$rejig" select old new --coverage bit.db --format ids 2> /dev/null) || fail "byte $at: no answer"
  case $ids in
    "# all"*) ;;
    "$good") ;;
    *) fail "byte $at: another answer: $ids" ;;
  esac
  at=$((at + 977))
done

# Rows recorded on other bytes than OLD.
digest=$(sha256sum old/p/A.class | cut -d' ' -f1)
{
  printf 'row\tdefault\tt.T#b()\tcomplete\tpass\tall\tm:p.A.g()I\n'
  printf 'class\tp.A\t%s\n' "$digest"
} | "$make_store" right.db || exit 1
exits "the right bytes" 0 "$rejig" select old new --coverage right.db --format ids
same "the right bytes" "" "$(cat .out)"
exits "foreign bytes" 0 "$rejig" select new new --coverage right.db --format json
holds "foreign bytes" "$(cat .out)" '{"rule":"T3"}'

# Names that would break lines, strings and terminals.
printf 'row\tdefault\tt.T#\033[31m"quoted", \\ größe()\tcomplete\tfail\tall\tm:p.A.g()I\n' |
  "$make_store" names.db || exit 1
exits "odd names" 0 "$rejig" select old new --coverage names.db --format json
holds "odd names in JSON" "$(cat .out)" '"t.T#\u001b[31m\"quoted\", \\ größe()"'
exits "odd names as text" 0 "$rejig" select old new --coverage names.db
has "odd names as text" "$(cat .out)" 't.T#\x1b[31m"quoted", \ größe()'

# Overloads and the same test in two suites are different tests.
{
  printf 'row\tdefault\tt.T#a()\tcomplete\tpass\tall\tm:p.A.f()I\n'
  printf 'row\tdefault\tt.T#a(int)\tcomplete\tpass\tall\tm:p.A.g()I\n'
} | "$make_store" over.db || exit 1
exits "overloads" 0 "$rejig" select old new --coverage over.db --format ids
same "overloads" "t.T#a()" "$(cat .out)"

# Reading changes nothing.
before=$(sha256sum m.db)
chmod a-w m.db
exits "a read-only store" 0 "$rejig" select old new --coverage m.db
same "the store is as it was" "$before" "$(sha256sum m.db)"
same "nothing beside the store" "" "$(ls | grep '^m\.db.')"

exits "missing OLD and NEW" 2 "$rejig" select --coverage m.db
exits "a missing root" 2 "$rejig" select old nowhere --coverage m.db
exits "an unknown assumption" 2 "$rejig" select old new --coverage m.db --assume no-reflexion
has "suggests" "$(cat .err)" "did you mean 'no-reflection'"

done_testing
