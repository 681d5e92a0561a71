#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select on class directories: a file that was not written since it was read is not read again, and whatever was
# written is.
. "$(dirname "$0")/lib.sh" "$@"

mkdir -p src/p
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
  echo "package p; public class C$i { public int f() { return 1; } }" > src/p/C$i.java
done
compile old src/p/*.java
row() {
  printf '{"v":1,"suite":"s","test":"t.T#t%s()","grade":"complete","result":"pass","ms":1,"facts":["m","inst","recv","init","load","ext","miss","refl","res","resmiss","stackapi"],"atoms":["m:p.C%s.f()I","load:p.C%s"]}\n' "$1" "$1" "$1"
}
{
  printf '{"v":1,"type":"matrix","classes":[],"environment":{}}\n'
  row 01; row 02; row 03
} > rows.ndjson
exits "import" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s --program old
cp -r old new

# asked ARGUMENT...: the answer; .opened has the files of new/ that were opened
asked() {
  strace -f -qq -e trace=open,openat -o .trace "$rejig" select --coverage m.db --suite s new --format ids "$@" > .answer 2> .err \
    || fail "select $*: $(cat .err)"
  sed -n 's/.*"\(new\/[^"]*\.class\)".*/\1/p' .trace | sort -u > .opened
}

asked
same "nothing changed" "" "$(cat .answer)"
same "everything is read the first time" 20 "$(wc -l < .opened)"
# What was compiled just now could be written again in the same tick: it is read until the clock went on.
rounds=0
until [ -f m.db.stat ] && [ ! -s .opened ]; do
  asked
  rounds=$((rounds + 1))
  [ $rounds -lt 500 ] || { fail "never kept what it read"; break; }
done
asked
same "nothing is read again" "" "$(cat .opened)"
same "the same answer" "" "$(cat .answer)"
asked --rehash
same "read all the same" 20 "$(wc -l < .opened)"

change() { # CLASS VALUE
  sed "s/return [0-9]*/return $2/" "src/p/$1.java" > .java && cp .java "src/p/$1.java"
  compile new "src/p/$1.java"
}
change C02 7
asked
same "the changed file is read, no other" "new/p/C02.class" "$(cat .opened)"
same "its test is selected" "t.T#t02()" "$(cat .answer)"
# The same size, and the time of the last write as it was: the time of the last change tells.
touch -r new/p/C03.class .time
change C03 8
touch -r .time new/p/C03.class
asked
same "both are read" "new/p/C02.class new/p/C03.class" "$(tr '\n' ' ' < .opened | sed 's/ $//')"
same "both tests are selected" "t.T#t02() t.T#t03()" "$(sort .answer | tr '\n' ' ' | sed 's/ $//')"
# Another file under the same name.
cp new/p/C01.class .kept
change C01 9
mv new/p/C01.class .changed
cp .kept new/p/C01.class
mv .changed new/p/C01.class
asked
has "a file that was moved there" "$(cat .answer)" "t.T#t01()"
# Written twice in the same tick, with the same size.
for value in 2 3 4 5 6 1; do
  change C01 $value
  asked
  case $value:$(cat .answer) in
    1:*t01*) fail "C01 is as it was" ;;
    1:*) ;;
    *t01*) ;;
    *) fail "C01 returns $value: $(cat .answer)" ;;
  esac
done

# A damaged cache knows nothing.
sort .answer > .right
printf 'x' | dd of=m.db.stat bs=1 seek=100 conv=notrunc 2> /dev/null
asked
same "a damaged cache" "$(cat .right)" "$(sort .answer)"
[ "$(wc -l < .opened)" -ge 17 ] || fail "a damaged cache was believed: $(cat .opened)"
# One that cannot be written.
rm -f m.db.stat
mkdir m.db.stat
asked
same "a cache that cannot be written" "$(cat .right)" "$(sort .answer)"
done_testing
