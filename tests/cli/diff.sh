#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig diff: formats, exit codes, the same bytes whatever the threads and roots.
. "$(dirname "$0")/lib.sh" "$@"

two_versions_of_a

exits "a difference" 1 "$rejig" diff old new --format json
json=$(cat .out)
holds "schema" "$json" '{"schema": "rejig.diff/1"}'
holds "counts" "$json" '{"counts": {"classes":1,"changed_classes":1,"edges":1,"api":{"added":0,"removed":0,"changed":0,"binary":0,"source":0}}}'
holds "edge" "$json" '{"id":"E1","rule":"D1","channel":"body","entity":"p.A.f()I"}'
holds "atoms" "$json" '{"atoms":[["m:p.A.f()I"]]}'
holds "file and line" "$json" '{"file":"p/A.java","line":3}'

exits "no difference" 0 "$rejig" diff old old --format json
holds "mode none" "$(cat .out)" '{"mode": "none"}'
exits "no difference, text" 0 "$rejig" diff old old
has "said as such" "$(cat .out)" "no difference in behaviour"

(cd old && jar --create --file ../old.jar p)
(cd new && jar --create --file ../new.jar p)
exits "jars" 1 "$rejig" diff old.jar new.jar --format json
same "directories and jars give the same bytes" "$json" "$(cat .out | sed '/META-INF/d')"
exits "one thread" 1 "$rejig" diff old new --format json -j1
same "one thread" "$json" "$(cat .out)"
exits "eight threads" 1 "$rejig" diff old new --format json -j8
same "eight threads" "$json" "$(cat .out)"
mkdir -p "with space/o" && cp -r old "with space/o/" && cp -r new "with space/o/"
exits "a path with a space" 1 "$rejig" diff "with space/o/old" "with space/o/new" --format json
same "a path with a space" "$json" "$(cat .out)"

# A body that parts behind a decision names the edge; the pcs are javac's.
mkdir -p g/p h/p
echo 'package p; class D { int h(int x) { if (x < 0) return 1; return 2; } }' > g/p/D.java
sed 's/return 2/return 3/' g/p/D.java > h/p/D.java
compile old-branch g/p/D.java
compile new-branch h/p/D.java
exits "a branch" 1 "$rejig" diff old-branch new-branch --format json
holds "by methods" "$(cat .out)" '{"atoms":[["m:p.D.h(I)I"]]}'
holds "by edges" "$(cat .out)" '{"edge_atoms":[["m:p.D.h(I)I","stackapi"],["e:p.D.h(I)I#1T"]]}'
lacks "nothing decides about a straight body" "$json" edge_atoms

# What every platform has in Object is known without one.
mkdir -p c/p d/p
echo 'package p; public class B { int g() { return 1; } }' > c/p/B.java
echo 'package p; public class B { int g() { return 1; } public String toString() { return "b"; } }' > d/p/B.java
compile old-object c/p/B.java
compile new-object d/p/B.java
exits "no platform" 1 "$rejig" diff old-object new-object --format json
holds "Object is known" "$(cat .out)" '{"entity":"java.lang.Object.toString()Ljava/lang/String;","label":"p.B"}'
holds "for its instances" "$(cat .out)" '{"atoms":[["inst:p.B"]]}'

# Nobody knows what a superclass has that is not there: an added method may
# override what was called before.
mkdir -p lib/q c/q d/q
echo 'package q; public class Lib { public int f() { return 0; } }' > lib/q/Lib.java
echo 'package q; public class B extends Lib { int g() { return 1; } }' > c/q/B.java
echo 'package q; public class B extends Lib { int g() { return 1; } public int f() { return 1; } }' > d/q/B.java
compile library lib/q/Lib.java
for version in c d; do
  mkdir -p unknown-$version
  quick_javac -g -cp library -d unknown-$version $version/q/B.java || exit 1
done
exits "an unknown superclass" 1 "$rejig" diff unknown-c unknown-d --format json
holds "may have been overridden" "$(cat .out)" '{"rule":"D8","channel":"selection","entity":"q.B.f()I","label":"q.B","old":"a class that is not there: q/Lib"}'
exits "no superclass is unknown" 1 "$rejig" diff unknown-c unknown-d --lib library --format json
holds "it is overridden" "$(cat .out)" '{"entity":"q.Lib.f()I","label":"q.B"}'

# Receivers that change alike are one edge; what a deleted method hid is said
# where it is deleted, and nowhere else.
mkdir -p h/p i/p
cat > h/p/S.java <<'END'
package p;
public class S {
  public int f() { return 1; }
  public static class A extends S { }
  public static class B extends A { }
  public static class C extends A { public int f() { return 3; } }
}
END
sed -e 's/A extends S { }/A extends S { public int f() { return 2; } }/' -e 's/C extends A { .* }/C extends A { }/' h/p/S.java > i/p/S.java
compile alike-old h/p/S.java
compile alike-new i/p/S.java
exits "alike receivers" 1 "$rejig" diff alike-old alike-new --format json
holds "one edge" "$(cat .out)" '{"rule":"D7","channel":"selection","entity":"p.S.f()I","label":"p.S$A and 1 more"}'
holds "of both" "$(cat .out)" '{"atoms":[["recv:p.S$A|p.S.f()I"],["recv:p.S$B|p.S.f()I"]]}'
has "deleted, and what runs now" "$(cat .out)" '`p.S$C.f()I` is deleted; receivers of its class now run `p.S$A.f()I`'
holds_not "not twice" "$(cat .out)" '{"label":"p.S$C"}'

exits "gcc" 1 "$rejig" diff old new --format gcc
case $(cat .out) in
  p/A.java:3:1:\ info:\ *\[D1\]) ;;
  *) fail "gcc line: $(cat .out)" ;;
esac
exits "gcc with a source root" 1 "$rejig" diff old new --format gcc --source-root a
has "source root" "$(cat .out)" "a/p/A.java:3:1: info:"
exits "absolute paths" 1 "$rejig" diff old new --format gcc --source-root a --path-style absolute
has "absolute path" "$(cat .out)" "$(pwd -P)/a/p/A.java:3:1: info:"
exits "github" 1 "$rejig" diff old new --format github --source-root a
same "github" "::notice file=a/p/A.java,line=3,title=rejig D1::E1 A.f(): int 1 → int 3" "$(cat .out)"
exits "github, no such file" 1 "$rejig" diff old new --format github
same "no path that is none" "::notice title=rejig D1::E1 A.f(): int 1 → int 3" "$(cat .out)"
exits "ndjson" 1 "$rejig" diff old new --format ndjson
same "last line of ndjson" '{"type":"end"}' "$(tail -n 1 .out)"
holds "first line of ndjson" "$(head -n 1 .out)" '{"type":"header","schema":"rejig.diff/1"}'
exits "dot" 1 "$rejig" diff old new --format dot
has "dot" "$(cat .out)" '"p.A.f()I" -> "E1";'

# What is shown: counts, groups, hidden rules. Nothing of it narrows.
mkdir -p e/p f/p
cat > e/p/C.java <<'END'
package p;
public class C {
  public int f() { return 1; }
  public int g() { return 2; }
  static int h() { return 3; }
}
END
sed -e 's/return 1/return 10/' -e 's/return 2/return 20/' -e 's/static int h.*/public static int i() { return h(); } static int h() { return 3; }/' e/p/C.java > f/p/C.java
compile wide-old e/p/C.java
compile wide-new f/p/C.java
exits "text" 1 "$rejig" diff wide-old wide-new
same "the verdict comes first" "2 methods run other code; 1 of 1 classes changed, 0 new, 0 gone
API not broken: 1 added" "$(head -n 2 .out)"
has "Java names" "$(cat .out)" "  C.f()  "
lacks "no descriptors" "$(cat .out)" "()I"
exits "text, everything" 1 "$rejig" diff wide-old wide-new --all
has "what was added" "$(cat .out)" "+ i()"
exits "--summary" 1 "$rejig" diff wide-old wide-new --summary
has "counts by rule" "$(cat .out)" "      2 D1 body"
lacks "no edges" "$(cat .out)" "E1"
exits "--summary --by class" 1 "$rejig" diff wide-old wide-new --summary --by class
has "counts by class" "$(cat .out)" "      3 p.C"
exits "--by rule" 1 "$rejig" diff wide-old wide-new --by rule
has "a rule's heading" "$(cat .out)" "
D1 body
  E2 D1 body p.C.f()I, line 3"
exits "--by method" 1 "$rejig" diff wide-old wide-new --by method
same "counts come first" "3 dangerous edges; 1 of 1 classes changed
2 methods with another body; edges by channel: body 2, shell 1" "$(head -n 2 .out)"
has "a method's heading" "$(cat .out)" "
p.C.f()I  p/C.java:3
  E2 D1 body, line 3"
exits "--by class" 1 "$rejig" diff wide-old wide-new --by class
has "a class's heading" "$(cat .out)" "
p.C  p/C.java
  E1 D16 shell, members"
exits "--ignore, for people" 1 "$rejig" diff wide-old wide-new --ignore D1
has "says what is hidden" "$(cat .out)" "hidden by --ignore: D1 2"
lacks "hides it" "$(cat .out)" "C.f()"
exits "--ignore" 1 "$rejig" diff wide-old wide-new --ignore D1 --by method
has "says what is hidden" "$(cat .out)" "hidden by --ignore: D1 2"
has "and counts it" "$(cat .out)" "3 dangerous edges"
lacks "hides it" "$(cat .out)" "E2"
exits "--ignore several" 1 "$rejig" diff wide-old wide-new --ignore D1,D16 --ignore D20 --format json
holds "all counted" "$(cat .out)" '{"edges":3,"hidden":3}'
holds "none shown" "$(cat .out)" '{"edges": []}'
holds "mode stays" "$(cat .out)" '{"mode": "some"}'
has "on standard error too" "$(cat .err)" "hidden by --ignore: D1 2, D16 1"
for format in ndjson gcc github dot; do
  exits "--ignore, $format" 1 "$rejig" diff wide-old wide-new --ignore D1 --format $format
  has "$format says what is hidden" "$(cat .err)" "hidden by --ignore: D1 2"
  lacks "$format hides" "$(cat .out)" "E2"
  has "$format keeps the numbers" "$(cat .out)" "E1"
done
exits "no such rule" 2 "$rejig" diff wide-old wide-new --ignore D99
has "names it" "$(cat .err)" "no such rule: 'D99'"
exits "--summary is text" 2 "$rejig" diff wide-old wide-new --summary --format json

# A class that the user says is renamed is one class; what the two programs
# contradict is left out, and wider.
mkdir -p k/p l/p
echo 'package p; class Old { int f() { return 1; } static int g() { return 2; } }' > k/p/Old.java
echo 'package p; class User { int u() { return new Old().f() + Old.g(); } }' > k/p/User.java
sed -e 's/Old/New/g' -e 's/return 1/return 3/' k/p/Old.java > l/p/New.java
sed 's/Old/New/g' k/p/User.java > l/p/User.java
compile named-old k/p/*.java
compile named-new l/p/*.java
exits "a class with another name" 1 "$rejig" diff named-old named-new --format gcc
has "is deleted" "$(cat .out)" '`p.Old.g()I` is deleted with its class'
has "and its users differ" "$(cat .out)" "p.User.u()I"
printf '# renamed\n\np.Old p.New # by hand\n' > names
for way in "" --walk; do
  exits "--rename $way" 1 "$rejig" diff named-old named-new --rename names --format ndjson $way
  holds "what differs inside $way" "$(cat .out)" '{"type":"edge","rule":"D1","channel":"body","entity":"p.Old.f()I"}'
  holds "and nothing else $way" "$(head -n 1 .out)" '{"counts":{"edges":1}}'
  holds "the name is a facet $way" "$(cat .out)" '{"facet":"class name","entity":"p.Old"}'
done
# A stale user still asks for the old name.
cp -r named-new named-stale
cp named-old/p/User.class named-stale/p/
exits "a stale user" 1 "$rejig" diff named-old named-stale --rename names --format gcc
has "differs" "$(cat .out)" "p.User.u()I"
# The old name has another class now; the new name had one before.
cp -r named-new named-both
cp named-old/p/Old.class named-both/p/
exits "the old name is there" 1 "$rejig" diff named-old named-both --rename names --format gcc
has "said as such" "$(cat .err)" "names:3: not taken as renamed: p.Old is a class of NEW too"
has "the user differs" "$(cat .out)" "p.User.u()I"
exits "the new name was there" 1 "$rejig" diff named-both named-new --rename names --format gcc
has "says that" "$(cat .err)" "p.New is a class of OLD too"
echo 'p.Gone p.New' > gone
exits "no such class" 1 "$rejig" diff named-old named-new --rename gone
has "warns" "$(cat .err)" "p.Gone is no class of OLD"
printf 'p.Old p.New\np.User p.New\n' > twice
exits "two classes of one name" 2 "$rejig" diff named-old named-new --rename twice
has "says where" "$(cat .err)" "twice:2"
echo 'p.Old' > half
exits "half a line" 2 "$rejig" diff named-old named-new --rename half
has "says so" "$(cat .err)" "half:1: expected: OLD_NAME NEW_NAME"

# Line numbers are a facet: nobody but a reader of stack traces sees them.
mkdir -p g/p
sed '1a\
' e/p/C.java > g/p/C.java
compile moved g/p/C.java
exits "other lines" 0 "$rejig" diff wide-old moved --format json
holds "are a facet" "$(cat .out)" '{"rule":"D23","facet":"debug","entity":"p.C"}'
holds "and no edge" "$(cat .out)" '{"edges": []}'
exits "other lines, for people" 0 "$rejig" diff wide-old moved
same "one line of facets" "no difference in behaviour; 1 of 1 classes changed
without effect on behaviour: line numbers 1" "$(cat .out)"
exits "other lines, text" 0 "$rejig" diff wide-old moved --by method
has "one line of its own" "$(cat .out)" "  D23 p.C, debug: line numbers"

# A class that the JVM refused because it catches no Throwable, and accepts now,
# is another one for whoever loads it, though what they call has the same body.
mkdir -p thrown
echo 'class X extends Throwable { }' > thrown/X.java
cat > thrown/A.java <<'END'
public class A {
  static int called() throws X { return 1; }
  static int caught() { try { return called(); } catch (X x) { return 2; } }
  public static void main(String[] args) throws X { System.out.println(called()); }
}
END
compile refused thrown/X.java thrown/A.java
sed -i 's/return 2/return 3/' thrown/A.java
compile accepted thrown/X.java thrown/A.java
echo 'class X { }' > thrown/X.java
compile refused thrown/X.java
exits "the JVM refuses it" 1 java -cp refused A
has "as it catches no Throwable" "$(cat .err)" "VerifyError"
exits "and accepts it" 0 java -cp accepted A
jdk=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
exits "what is refused no more" 1 "$rejig" diff refused accepted --format json --jdk "$jdk"
holds "links otherwise" "$(cat .out)" '{"rule":"D14","channel":"linking","entity":"A"}'
exits "and the other way" 1 "$rejig" diff accepted refused --format json --jdk "$jdk"
holds "links no more" "$(cat .out)" '{"rule":"D14","channel":"linking","entity":"A"}'
exits "by the walk" 1 "$rejig" diff refused accepted --format json --walk --jdk "$jdk"
holds "does, too" "$(cat .out)" '{"rule":"D14","channel":"linking","entity":"A"}'

# The same of a value that was used as what it was not.
echo 'class P { }' > thrown/P.java
echo 'class X extends P { }' > thrown/X.java
cat > thrown/A.java <<'END'
public class A {
  static int take(P p) { return 1; }
  static int called() { return 1; }
  static int other() { return take(new X()) + 2; }
  public static void main(String[] args) { System.out.println(called()); }
}
END
compile misused thrown/P.java thrown/X.java thrown/A.java
sed -i 's/+ 2/+ 3/' thrown/A.java
compile used thrown/P.java thrown/X.java thrown/A.java
echo 'class X { }' > thrown/X.java
compile misused thrown/X.java
exits "the JVM refuses it" 1 java -cp misused A
has "as X is no P" "$(cat .err)" "VerifyError"
exits "and accepts it" 0 java -cp used A
for way in '' --walk; do
  exits "$way what is refused no more" 1 "$rejig" diff misused used --format json --jdk "$jdk" $way
  has "$way passes" "$(cat .out)" 'links, now passes; before: uses X as P'
done

exits "graph --stats" 0 "$rejig" graph wide-old --stats
has "counts" "$(cat .out)" "bytes an edge"
figures=$(cat .out)
exits "graph --figures" 0 "$rejig" graph wide-old --figures
same "the same figures" "$figures" "$(cat .out)"

exits "diff --stats" 1 "$rejig" diff old new --stats
has "says the time of a phase" "$(cat .err)" "compare bodies"
has "the memory at most" "$(cat .err)" "MB peak"
has "and what is left" "$(cat .err)" "MB still in use when it was done"
exits "diff --stats=json" 1 "$rejig" diff old new --stats=json
python3 -c 'import json
memory = json.load(open(".err"))["memory"]
assert 0 < memory["left_bytes"] <= memory["peak_bytes"], memory' || fail "no memory in --stats=json: $(cat .err)"

exits "missing input" 2 "$rejig" diff old nowhere
has "names the input" "$(cat .err)" "nowhere"
same "nothing on stdout" "" "$(cat .out)"
exits "unknown option" 2 "$rejig" diff old new --formt json
exits "unknown format" 2 "$rejig" diff old new --format jso
exits "missing argument" 2 "$rejig" diff old
exits "a JDK that is none" 2 "$rejig" diff old new --jdk old

mkdir out
exits "-o" 1 "$rejig" diff old new --format json -o out/file.json
same "-o writes the answer" "$json" "$(cat out/file.json)"
same "-o leaves nothing else" "file.json" "$(ls out)"
mkfifo out/pipe
cat out/pipe > piped &
exits "-o to a pipe" 1 "$rejig" diff old new --format json -o out/pipe
wait $!
same "-o writes to a pipe" "$json" "$(cat piped)"
same "a pipe stays one" yes "$([ -p out/pipe ] && echo yes)"
ln -s file.json out/link
exits "-o behind a link" 1 "$rejig" diff old new --format json -o out/link
same "a link stays one" yes "$([ -L out/link ] && echo yes)"

done_testing
