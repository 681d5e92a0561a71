#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select NEW: the matrix keeps the old program.
. "$(dirname "$0")/lib.sh" "$@"

export SOURCE_DATE_EPOCH=1700000000
mkdir -p a/p b/p l/q l2/q
cat > l/q/Lib.java <<'END'
package q;
public class Lib {
  public int hook() { return 0; }
  public final int call() { return hook(); }
}
END
sed 's/return 0/return 7/' l/q/Lib.java > l2/q/Lib.java
cat > a/p/A.java <<'END'
package p;
public class A extends q.Lib {
  public int f() { return 1; }
  public int g() { return 2; }
}
END
cat > a/p/B.java <<'END'
package p;
public class B implements java.io.Serializable {
  public int h() { return new A().call(); }
}
END
cp a/p/B.java b/p/
sed 's/return 2; }/return 2; }\n  @Override public int hook() { return 3; }\n  @Override public String toString() { return ""; }/' \
  a/p/A.java > b/p/A.java
compile lib l/q/Lib.java
compile lib2 l2/q/Lib.java
compile_with() {
  dest=$1; cp=$2; shift 2
  mkdir -p "$dest"
  quick_javac -g -proc:none --release 17 -cp "$cp" -d "$dest" "$@" || exit 1
}
compile_with old lib a/p/A.java a/p/B.java
compile_with new lib b/p/A.java b/p/B.java
(cd lib && jar cf ../lib.jar q)
(cd lib2 && jar cf ../lib2.jar q)
(cd new && jar cf ../new.jar p)
(cd old && jar cf ../old.jar p)
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")

row() { # test, atoms
  printf '{"v":1,"suite":"%s","test":"%s","grade":"complete","result":"pass","ms":1,"facts":["m","inst","recv","init","load","ext","miss","refl","res","resmiss","stackapi"],"atoms":[%s]}\n' "$3" "$1" "$2"
}
digest() { sha256sum "old/p/$1.class" | cut -d' ' -f1; }
{
  printf '{"v":1,"type":"matrix","classes":[{"name":"p.A","digest":"%s"},{"name":"p.B","digest":"%s"}],"environment":{}}\n' "$(digest A)" "$(digest B)"
  row 't.T#hook()' '"m:p.A.<init>()V","inst:p.A","load:p.A"' s
  row 't.T#none()' '"m:p.B.<init>()V","inst:p.B","load:p.B"' s
} > rows.ndjson

exits "import" 0 "$rejig" coverage import rows.ndjson --store m.db --suite s \
  --program old --lib lib.jar --jdk "$jdk"
has "says what it took" "$(cat .err)" "imported 2 rows and the program of suite s into m.db"

# With OLD and without it: the same tests, the same edges.
exits "with OLD" 0 "$rejig" select old new --lib lib.jar --jdk "$jdk" --coverage m.db --format json
sed '/"assumptions"/d' .out > with.json
exits "with the matrix alone" 0 "$rejig" select new --coverage m.db --format json
sed '/"assumptions"/d' .out > without.json
same "the same answer" "$(cat with.json)" "$(cat without.json)"
has "says what it takes for granted" "$(cat .out)" "the libraries are those of the stored program"
has "and the platform" "$(cat .out)" "the platform is that of the stored program"
exits "ids" 0 "$rejig" select new --coverage m.db --format ids
same "ids" "t.T#hook()" "$(cat .out)"

# NEW as a jar, as a class path, with libraries.
exits "a jar" 0 "$rejig" select new.jar --coverage m.db --format ids
same "a jar" "t.T#hook()" "$(cat .out)"
exits "a class path" 0 "$rejig" select --class-path new:lib.jar --internal-root new --coverage m.db --format ids
same "a class path" "t.T#hook()" "$(cat .out)"
exits "libraries that are the same" 0 "$rejig" select new --lib lib.jar --jdk "$jdk" --coverage m.db --format ids
same "libraries that are the same" "t.T#hook()" "$(cat .out)"
exits "the same program" 0 "$rejig" select old.jar --coverage m.db --format ids
same "the same program selects nobody" "" "$(cat .out)"
exits "explain" 0 "$rejig" explain new 't.T#hook()' --coverage m.db
has "explain" "$(cat .out)" "p.A.hook()I"
exits "explain --not" 0 "$rejig" explain --not 't.T#none()' new --coverage m.db
has "explain --not" "$(cat .out)" "unaffected"

# What the program runs with is another one now: all, because.
exits "another library" 3 "$rejig" select new --lib lib2.jar --coverage m.db --strict
has "another library" "$(cat .err)" "the libraries are not those of the stored program: lib2.jar is another one"
exits "one library more" 3 "$rejig" select new --lib lib.jar:lib2.jar --coverage m.db --strict
mkdir -p jdk/lib
printf 'JAVA_VERSION="11.0.1"\n' > jdk/release
cp "$jdk/lib/modules" jdk/lib/modules
exits "another platform" 3 "$rejig" select new --jdk jdk --coverage m.db --strict
has "another platform" "$(cat .err)" "the platform is not that of the stored program"
rm -r jdk
export JAVA_HOME=/nowhere
exits "JAVA_HOME gives way to the stored platform" 0 "$rejig" select new --coverage m.db --format ids
same "JAVA_HOME gives way" "t.T#hook()" "$(cat .out)"
unset JAVA_HOME

# NEW is read for the release of the stored program, which nobody names here: a
# class of a later version folder does not hide the changed one.
mkdir -p jdk11/lib versions/META-INF/versions/17/p
ln -s "$jdk/lib/modules" jdk11/lib/modules
printf 'JAVA_VERSION="11.0.1"\n' > jdk11/release
cp old/p/A.class versions/META-INF/versions/17/p/
cp -r new/p versions/
cp old/p/B.class versions/p/
printf 'Multi-Release: true\n' > multi.txt
(cd versions && jar cfm ../versions.jar ../multi.txt p META-INF)
exits "an older release" 0 "$rejig" coverage import rows.ndjson --store m11.db --suite s --program old --lib lib.jar --jdk jdk11
exits "of a multi-release jar" 0 "$rejig" select versions.jar --coverage m11.db --format ids
same "of a multi-release jar" "t.T#hook()" "$(cat .out)"
exits "the release of the version folder" 0 "$rejig" select versions.jar --coverage m.db --format ids
same "the release of the version folder" "" "$(cat .out)"

# Rows of other bytes than the stored program.
sed 's/"digest":"[0-9a-f]\{4\}/"digest":"0000/' rows.ndjson > foreign.ndjson
exits "foreign rows" 0 "$rejig" coverage import foreign.ndjson --store foreign.db --suite s --program old --lib lib.jar --jdk "$jdk"
exits "foreign rows are selected" 0 "$rejig" select old --coverage foreign.db --format json
holds "foreign rows are selected" "$(cat .out)" '{"rule":"T3"}'

# The file is whole: it can be moved, and holds no path of this machine.
mkdir away
cp m.db away/x.db
mv old old.gone
exits "moved" 0 "$rejig" select new --coverage away/x.db --format ids
same "moved" "t.T#hook()" "$(cat .out)"
mv old.gone old
if grep -aq "$work" m.db; then fail "a path of this machine in the store"; fi
exits "again" 0 "$rejig" coverage import rows.ndjson --store m2.db --suite s --program old --lib lib.jar --jdk "$jdk"
cmp m.db m2.db || fail "the same content, other bytes"
exits "again into the same" 0 "$rejig" coverage import rows.ndjson --store m2.db --suite s --program old --lib lib.jar --jdk "$jdk"
cmp m.db m2.db || fail "the same content twice, other bytes"

# A later program takes the place of the one before; nothing of it is left.
exits "another program" 0 "$rejig" coverage import --store m2.db --suite s --program new --lib lib.jar --jdk "$jdk"
exits "and back" 0 "$rejig" coverage import --store m2.db --suite s --program old --lib lib.jar --jdk "$jdk"
cmp m.db m2.db || fail "packs of an earlier program are left"

# Several programs, none, and two of one suite.
exits "no program" 0 "$rejig" coverage import rows.ndjson --store rows.db
exits "no program: OLD is needed" 2 "$rejig" select new --coverage rows.db
has "no program" "$(cat .err)" "OLD is needed: the matrix holds no old program"
exits "a second suite" 0 "$rejig" coverage import --store m2.db --suite other --program new
exits "which one" 2 "$rejig" select new --coverage m2.db
has "which one" "$(cat .err)" "name one with --suite: other s"
exits "this one" 0 "$rejig" select new --suite s --coverage m2.db --format ids
same "this one" "t.T#hook()" "$(cat .out)"
exits "a suite without program" 2 "$rejig" select new --suite t --coverage m2.db
exits "a shard of another build" 0 "$rejig" coverage import --store shard.db --suite s --program new
exits "merged" 0 "$rejig" coverage merge shard.db --store m.db
exits "two programs of one suite" 3 "$rejig" select new --coverage m.db --strict
has "two programs of one suite" "$(cat .err)" "2 different old programs of this suite"
exits "an unusable matrix" 3 "$rejig" select new --coverage nowhere.db --strict

# One damaged byte anywhere is never a smaller answer.
size=$(wc -c < away/x.db)
at=0
while [ $at -lt "$size" ]; do
  cp away/x.db bit.db
  printf '\377' | dd of=bit.db bs=1 seek=$at conv=notrunc 2> /dev/null
  ids=$("$rejig" select new --coverage bit.db --format ids 2> .err)
  code=$?
  case $code:$ids in
    "0:# all"* | 0:t.T#hook*) ;;
    *) fail "byte $at: exit $code, another answer: $ids" ;;
  esac
  at=$((at + 4099))
done

done_testing
