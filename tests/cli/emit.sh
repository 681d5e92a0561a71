#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select --emit: into files, onto standard output, and what cannot be.
. "$(dirname "$0")/lib.sh" "$@"

mkdir -p a/p
cat > a/p/A.java <<'END'
package p;
public class A { public int f() { return 1; } }
END
compile old a/p/A.java
{
  printf 'row\tdefault\tt.T#a()\tcomplete\tfail\tall\tm:p.A.f()I\n'
  printf 'row\tdefault\tt.T#b(int)\tcomplete\tpass\tall\tm:p.A.f()I\n'
} | "$make_store" m.db || exit 1

exits "on standard output" 0 "$rejig" select old old --coverage m.db --emit skip-list
same "skip list" "$(printf 'rejig-skip 1\ndefault\tt.T#b(int)\nend 1')" "$(cat .out)"
exits "into files" 0 "$rejig" select old old --coverage m.db --format ids \
  --emit skip-list=skip.txt --emit surefire-excludes=excludes.txt
same "the answer stays on standard output" "t.T#a()" "$(cat .out)"
same "the skip list" "$(printf 'rejig-skip 1\ndefault\tt.T#b(int)\nend 1')" "$(cat skip.txt)"
has "the excludes" "$(cat excludes.txt)" '**/*$*'
exits "all" 0 "$rejig" select old old --coverage none.db --emit skip-list
same "all skips nothing" "$(printf 'rejig-skip 1\nend 0')" "$(cat .out)"
exits "an unknown kind" 2 "$rejig" select old old --coverage m.db --emit skiplist=x
has "suggests" "$(cat .err)" "Did you mean 'skip-list'"
exits "two on standard output" 2 "$rejig" select old old --coverage m.db --emit skip-list --emit sbt
exits "a folder that does not exist" 2 "$rejig" select old old --coverage m.db --emit skip-list=no/where

done_testing
