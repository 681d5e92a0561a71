#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What nobody should have to read: a message that names file, offset, found and
# allowed; exit 2 or a wider answer; never a crash, never a silently empty diff.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh" "$@"
python3 "$here/make_bad_inputs.py" in || exit 1

# refused FILE MESSAGE: no command takes it, in either position.
refused() {
  exits "dump $1" 2 "$rejig" dump "in/$1"
  has "dump $1" "$(cat .err)" "$2"
  for pair in "in/good.jar in/$1" "in/$1 in/good.jar" "in/$1 in/$1"; do
    # shellcheck disable=SC2086
    exits "diff $pair" 2 "$rejig" diff $pair
    has "diff $pair" "$(cat .err)" "in/$1: "
    same "diff $pair: nothing on stdout" "" "$(cat .out)"
  done
}
refused truncated.jar "in/truncated.jar: neither archive, jimage nor class file: no zip end record in its 147 bytes"
refused empty.jar "in/empty.jar: the file is empty"
refused text.jar "it begins with 54 68 69 73"
refused missing.jar "in/missing.jar: cannot open: No such file or directory"

# wider FILE MESSAGE: read as far as it goes; against another program the diff
# is not empty and says what it could not read.
wider() {
  exits "dump $1" 2 "$rejig" dump "in/$1"
  has "dump $1" "$(cat .err)" "$2"
  for pair in "in/good.jar in/$1" "in/$1 in/good.jar"; do
    # shellcheck disable=SC2086
    exits "diff $pair" 1 "$rejig" diff $pair
    has "diff $pair" "$(cat .out)" "widened: in/$1!/"
    has "diff $pair" "$(cat .err)" "$2"
  done
}
wider half.jar "in/half.jar!/a/Half.class @0x16: ends within the constant pool, in entry 3 of 4"
wider encrypted.jar "in/encrypted.jar!/a/Good.class: the entry is encrypted"
wider bomb.jar "in/bomb.jar!/a/Bomb.class: says it inflates to 10737418240 bytes; at most 268435456 are read"

# A class under a name that no loader would find it by.
for file in dotdot.jar twice.jar; do
  exits "diff $file" 1 "$rejig" diff in/good.jar in/$file
  has "diff $file" "$(cat .out)" "the class calls itself"
done
exits "dotdot" 0 "$rejig" dump in/dotdot.jar
[ ! -e ../../x.class ] && [ ! -e x.class ] || fail "a name in an archive became a path"
exits "the last of two entries counts, as for a JVM" 0 "$rejig" dump in/twice.jar --format ndjson
holds "two entries of one name" "$(grep '"type":"entry"' .out | head -n 1)" '{"type":"entry","found":false}'

# Deep nesting and a constant that needs itself: read to the end.
exits "65,535 annotations in one another" 0 "$rejig" dump in/nested.jar
has "65,535 annotations in one another" "$(cat .err)" "1 attributes cannot be read and are left out"
exits "the same, in another program" 1 "$rejig" diff in/good.jar in/nested.jar
exits "a cyclic dynamic constant" 0 "$rejig" dump in/cyclic.jar
exits "the same, in another program" 1 "$rejig" diff in/good.jar in/cyclic.jar

# A folder without classes is a path that somebody mistyped or did not build.
exits "no classes" 0 "$rejig" diff in/no-classes in/no-classes
has "no classes" "$(cat .err)" "warning: in/no-classes: holds no class"
exits "no classes any more" 1 "$rejig" diff in/good.jar in/no-classes
has "no classes any more" "$(cat .out)" "1 of 1 classes changed"

# Bytes that nobody may read. Root may read everything, so root becomes nobody.
cp in/good.jar secret.jar
chmod 0 secret.jar
chmod 755 "$work" in
chmod -R a+rX in
if [ "$(id -u)" = 0 ]; then as="setpriv --reuid 65534 --regid 65534 --clear-groups"; else as=; fi
# shellcheck disable=SC2086
$as "$rejig" dump secret.jar > .o 2> .e
same "an unreadable file: exit" 2 $?
has "an unreadable file" "$(cat .e)" "secret.jar: cannot open: Permission denied"

# Ten gigabytes of zeros in ten megabytes, in 400 MB of memory.
(ulimit -v 400000; exec "$rejig" dump in/bomb.jar) > .out 2> .err
same "a bomb in little memory" 2 $?

# 5 GB with ZIP64, nearly all of it a hole: the class behind it is found.
exits "a large sparse archive" 0 "$rejig" dump in/sparse.jar --format ndjson --only class
holds "a large sparse archive" "$(cat .out)" '{"name":"a/Good"}'

# A file that loses its end while it is read ends in an error, not in a signal.
python3 - <<'END'
import zipfile
with zipfile.ZipFile("shrinking.jar", "w", zipfile.ZIP_STORED) as z:
    good = zipfile.ZipFile("in/good.jar").read("a/Good.class")
    for i in range(20000):
        z.writestr("a/C%05d.class" % i, good + bytes(2000))
END
cp shrinking.jar copy.jar
mkfifo pipe
for size in 1 4096 100000 5000000; do
  cp copy.jar shrinking.jar
  "$rejig" dump shrinking.jar > pipe 2> .err &
  reader=$!
  # The pipe holds the dump up until the file has lost its end.
  exec 3< pipe
  head -c 1 <&3 > .first
  truncate -s $size shrinking.jar
  cat <&3 > .out
  exec 3<&-
  wait $reader
  same "a file that shrinks to $size: exit" 2 $?
  [ -s .err ] || fail "a file that shrinks to $size: no message"
done
done_testing
