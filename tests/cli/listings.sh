#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select: who listed a folder of the program, or read a class file as data, sees what came, went or changed.
. "$(dirname "$0")/lib.sh" "$@"

mkdir -p a/p b/p b/p/sub
printf 'package p; public class A { int f() { return 1; } }\n' > a/p/A.java
cp a/p/A.java b/p/A.java
compile old a/p/A.java
compile new b/p/A.java
mkdir -p old/cases old/other new/other
echo 1 > old/cases/one.txt
cp -r old/cases new/cases
echo 1 > old/other/one.txt
cp old/other/one.txt new/other/one.txt
row() { printf 'row\tdefault\tt.T#%s()\tcomplete\tpass\tall\t%s\n' "$1" "$2"; }
{
  row cases res:cases/
  row there resmiss:cases/one.txt
  row other res:other/
  row package res:p/
  row root res:/
  row deep resmiss:cases/deep
  row deeper res:cases/deep/er/
  row folders 'res:**/'
  row archive 'res:!/'
  row class res:p/A.class
  row classThere resmiss:p/A.class
} | "$make_store" m.db || exit 1

# selects NAME TESTS...: of NEW as it is now.
selects() {
  name=$1
  shift
  exits "$name" 0 "$rejig" select old new --coverage m.db --format ids
  same "$name" "$(printf 't.T#%s()\n' "$@" | sort)" "$(sort .out)"
}

exits "nothing" 0 "$rejig" select old new --coverage m.db --format ids
same "nothing" "" "$(cat .out)"
echo 2 > new/cases/two.txt
selects "a file appears" cases archive
exits "as a difference" 1 "$rejig" diff old new
lacks "names are nobody's behaviour" "$(cat .out)" "names in"
rm new/cases/two.txt new/cases/one.txt
selects "the last file of a folder goes" cases there root folders archive
echo 1 > new/cases/one.txt
echo 2 > new/cases/one.txt
selects "other content" archive
echo 1 > new/cases/one.txt
mkdir -p new/cases/deep/er
echo 1 > new/cases/deep/er/x
selects "a folder appears" cases deep deeper folders archive
rm -r new/cases/deep
printf 'package p; class N { }\n' > b/p/N.java
compile new b/p/A.java b/p/N.java
mkdir -p new/cases new/other && echo 1 > new/cases/one.txt && echo 1 > new/other/one.txt
selects "a class appears" package archive
rm new/p/N.class
printf 'package p; public class A { int f() { return 2; } }\n' > b/p/A.java
compile new b/p/A.java
mkdir -p new/cases new/other && echo 1 > new/cases/one.txt && echo 1 > new/other/one.txt
selects "a class changes" archive class
done_testing
