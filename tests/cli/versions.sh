#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Class files whose version changed: what the platform in force cannot load, what
# nobody knows, and what makes no difference. Only the version's bytes differ.
. "$(dirname "$0")/lib.sh" "$@"

mkdir -p src/p
cat > src/p/A.java <<'END'
package p;
public class A { public static int f() { return 1; } }
END
cat > src/p/B.java <<'END'
package p;
public class B extends A { }
END
compile 17 src/p/A.java src/p/B.java
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
feature=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
next=$((feature + 1))
# version NAME FEATURE MINOR: as 17, but for A's version
version() {
  cp -r 17 "$1"
  printf "\\000\\$(printf '%03o' $((44 + $2)))" | dd of="$1/p/A.class" bs=1 seek=6 conv=notrunc 2> /dev/null
  [ "$3" = 0 ] || printf '\377\377' | dd of="$1/p/A.class" bs=1 seek=4 conv=notrunc 2> /dev/null
}
version newest "$next" 0
version eleven 11 0
version preview "$feature" 65535
cat > T.java <<'END'
class T { public static void main(String[] a) { System.out.println(p.A.f()); } }
END
quick_javac -cp 17 -d t T.java || exit 1
has "the JVM refuses it" "$("$jdk/bin/java" -cp newest:t T 2>&1)" UnsupportedClassVersionError
has "and what is a preview" "$("$jdk/bin/java" -cp preview:t T 2>&1)" UnsupportedClassVersionError
same "but not the older one" 1 "$("$jdk/bin/java" -cp eleven:t T 2>&1)"

for way in "" --walk; do
  # shellcheck disable=SC2086
  exits "refused$way" 1 "$rejig" diff $way --jdk "$jdk" 17 newest --by method
  has "says why$way" "$(cat .out)" "class file version $((44 + next)) and needs Java $next, the platform is Java $feature"
  exits "of both$way" 1 "$rejig" diff $way --jdk "$jdk" 17 newest --format json
  holds "A$way" "$(cat .out)" '{"entity":"p.A"}'
  holds "B, which stands below$way" "$(cat .out)" '{"entity":"p.B"}'
  exits "no platform$way" 1 "$rejig" diff $way 17 newest --by method
  has "says that nobody knows$way" "$(cat .out)" "needed Java 17 and needs Java $next, and nobody knows"
  exits "preview$way" 1 "$rejig" diff $way --jdk "$jdk" 17 preview --by method
  has "says preview$way" "$(cat .out)" "--enable-preview"
  exits "within$way" 0 "$rejig" diff $way --jdk "$jdk" 17 eleven --format json
  holds "is a facet$way" "$(cat .out)" '{"facet":"class file version"}'
  exits "there again$way" 1 "$rejig" diff $way --jdk "$jdk" newest 17
  exits "refused as before$way" 0 "$rejig" diff $way --jdk "$jdk" newest newest
done

row() { # test, atoms
  printf '{"v":1,"suite":"s","test":"%s","grade":"complete","result":"pass","ms":1,"facts":["m","inst","recv","init","load","ext","miss","refl","res","resmiss","stackapi"],"atoms":[%s]}\n' "$1" "$2"
}
{
  printf '{"v":1,"type":"matrix","classes":[{"name":"p.A","digest":"%s"},{"name":"p.B","digest":"%s"}],"environment":{}}\n' \
    "$(sha256sum 17/p/A.class | cut -d' ' -f1)" "$(sha256sum 17/p/B.class | cut -d' ' -f1)"
  row 't.T#call()' '"m:p.A.f()I","load:p.A","init:p.A"'
  row 't.T#loads()' '"load:p.A","load:p.B"'
  row 't.T#none()' '"load:p.C"'
} > rows.ndjson
for with in "--jdk $jdk" ""; do
  # shellcheck disable=SC2086
  exits "import" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s --program 17 $with
  # The stored program knows its platform.
  exits "select" 0 "$rejig" select newest --coverage m.db --format ids
  same "who loads it is selected, ${with:-no platform}" "t.T#call()
t.T#loads()" "$(sort .out)"
  exits "select what is older" 0 "$rejig" select eleven --coverage m.db --format ids
  same "nobody, ${with:-no platform}" "" "$(cat .out)"
  rm m.db
done

# An archive that some JVMs refuse.
(cd 17 && jar c0f ../good.jar p)
cp good.jar odd.jar
size=$(wc -c < odd.jar)
printf '\377\017\377\017' | dd of=odd.jar bs=1 seek=$((size - 22 + 8)) conv=notrunc 2> /dev/null
for way in "" --walk; do
  # shellcheck disable=SC2086
  exits "odd$way" 1 "$rejig" diff $way good.jar odd.jar
  has "says so$way" "$(cat .out)" "some JVMs refuse"
  # shellcheck disable=SC2086
  exits "odd before$way" 1 "$rejig" diff $way odd.jar good.jar
  cp odd.jar same.jar
  mkdir -p other && cp odd.jar other/odd.jar
  # shellcheck disable=SC2086
  exits "odd in both$way" 0 "$rejig" diff $way odd.jar other/odd.jar
done
exits "import" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s --program good.jar
exits "select odd" 0 "$rejig" select odd.jar --coverage m.db --format ids
has "why" "$(cat .out)" "some JVMs refuse"
same "everybody" "t.T#call()
t.T#loads()
t.T#none()" "$(grep -v '^#' .out | sort)"
rm m.db
exits "import odd" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s --program odd.jar
exits "select odd again" 0 "$rejig" select other/odd.jar --coverage m.db --format ids
same "nobody" "" "$(cat .out)"
done_testing
