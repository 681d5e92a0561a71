#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two files of one XXH3-128 are two files: as classes and resources of a stored
# program, in folders and in archives that keep them as they are, as files that a
# test has read, and among what is known of files by their stamps.
. "$(dirname "$0")/lib.sh" "$@"
make_twins=$3

"$make_twins" old new || { echo 'no twins' >&2; exit 1; }
cat > T.java <<'END'
class T { public static void main(String[] a) { System.out.println(p.A.f()); } }
END
quick_javac -cp old -d t T.java || exit 1
same "the JVM tells them apart" "$(java -cp old:t T) differs" "$(java -cp old:t T) $(
  [ "$(java -cp old:t T)" = "$(java -cp new:t T)" ] && echo same || echo differs)"
for side in old new; do
  (cd $side && jar c0f ../$side.jar p && zip -qr ../$side-deflated.jar p 2> /dev/null) ||
    (cd $side && jar cf ../$side-deflated.jar p)
done

row() { # test, atoms
  printf '{"v":1,"suite":"s","test":"%s","grade":"complete","result":"pass","ms":1,"facts":["m","inst","recv","init","load","ext","miss","refl","res","resmiss","stackapi"],"atoms":[%s]}\n' "$1" "$2"
}
{
  printf '{"v":1,"type":"matrix","classes":[{"name":"p.A","digest":"%s"}],"environment":{}}\n' \
    "$(sha256sum old/p/A.class | cut -d' ' -f1)"
  row 't.T#cls()' '"m:p.A.f()I","load:p.A"'
  row 't.T#data()' '"res:p/data.bin"'
  row 't.T#none()' '"load:p.B"'
} > rows.ndjson

for form in "" .jar -deflated.jar; do
  exits "import old$form" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s --program "old$form"
  exits "select new$form" 0 "$rejig" select "new$form" --coverage m.db --format ids
  same "a stored program is not its twin, $form" "t.T#cls()
t.T#data()" "$(sort .out)"
  exits "select old$form" 0 "$rejig" select "old$form" --coverage m.db --format ids
  same "it is itself, $form" "" "$(cat .out)"
  rm -f m.db
done
exits "diff" 1 "$rejig" diff --by method old.jar new.jar
has "diff names the method" "$(cat .out)" "p.A.f"
done_testing
