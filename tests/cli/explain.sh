#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig explain: the chain from the test to the changed fact, and why a skip is safe.
. "$(dirname "$0")/lib.sh" "$@"

two_versions_of_a
{
  printf 'row\tdefault\tt.T#a()\tcomplete\tpass\tall\tm:p.A.f()I\n'
  printf 'row\tdefault\tt.T#b()\tcomplete\tpass\tall\tm:p.A.g()I\n'
} | "$make_store" m.db || exit 1

exits "a selected test" 0 "$rejig" explain old new 't.T#a()' --coverage m.db
text=$(cat .out)
has "the verdict" "$text" "t.T#a(): selected"
has "the edge" "$text" "E1 D1 p.A.f()I"
has "the changed fact" "$text" "changed: int 1 -> int 3"
has "the place" "$text" "at p/A.java:3"
has "the atom" "$text" "m:p.A.f()I: in its row"

exits "a skipped test" 0 "$rejig" explain --old old --new new --not 't.T#b()' --coverage m.db
text=$(cat .out)
has "the verdict" "$text" "t.T#b(): unaffected"
has "what its row lacks" "$text" "its row lacks m:p.A.f()I, which is needed to meet E1"
has "what it rests on" "$text" "A15 tests are deterministic"

exits "an edge" 0 "$rejig" explain old new --edge E1 --coverage m.db
has "its tests" "$(cat .out)" "selects 1 test"
has "its tests" "$(cat .out)" "t.T#a()"
exits "the top" 0 "$rejig" explain old new --top --coverage m.db
has "the top" "$(cat .out)" "1 test: E1 D1 p.A.f()I"
exits "a class" 0 "$rejig" explain old new t.T --coverage m.db --format json
holds "both tests" "$(cat .out)" '{"test":"t.T#a()","status":"selected"}'
holds "both tests" "$(cat .out)" '{"test":"t.T#b()","status":"unaffected"}'

exits "no such test" 2 "$rejig" explain old new t.U --coverage m.db
exits "no such edge" 2 "$rejig" explain old new --edge E7 --coverage m.db
has "how many there are" "$(cat .err)" "E1 to E1"
exits "no question" 2 "$rejig" explain old new --coverage m.db

done_testing
