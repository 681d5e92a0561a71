#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# -j1 is one thread, whatever is asked: not a second one is made.
. "$(dirname "$0")/lib.sh" "$@"

two_versions_of_a
printf 'row\tdefault\tt.T#a()\tcomplete\tpass\tall\tm:p.A.f()I\n' | "$make_store" m.db || exit 1
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
# threads NAME COMMAND...: how many are made
alone() {
  name=$1
  shift
  strace -f -qq -e trace=clone,clone3,fork,vfork -o .trace "$@" > .out 2> .err
  same "$name" "" "$(cat .trace)"
}
alone diff "$rejig" diff old new -j1 --jdk "$jdk" --format json
for view in method edge class hybrid static; do
  alone "select --view $view" "$rejig" select old new -j1 --jdk "$jdk" --coverage m.db --view $view
done
printf '{"v":1,"suite":"s","test":"t.T#a()","grade":"complete","result":"pass","ms":1,"atoms":["m:p.A.f()I"]}\n' > rows.ndjson
alone "coverage import" "$rejig" coverage import rows.ndjson -j1 --store s.db --suite s --program old
alone "select from a stored program" "$rejig" select new -j1 --coverage s.db --suite s
strace -f -qq -e trace=clone,clone3 -o .trace "$rejig" select old new -j2 --jdk "$jdk" --coverage m.db --view static > .out 2> .err
[ -s .trace ] || fail "this test sees no thread"

done_testing
