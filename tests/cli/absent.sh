#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The platform or a library is not known: what stands behind its classes counts all the same. absent.sh REJIG MAKE_STORE
. "$(dirname "$0")/lib.sh" "$@"

# edge NAME RULE PART: the change from old to new has that edge, both ways to look for it.
edge() {
  for way in "" --walk; do
    # shellcheck disable=SC2086
    exits "$1 $way" 1 "$rejig" diff old new --format ndjson $way
    holds "$1 $way" "$(cat .out)" "{\"type\":\"edge\",\"rule\":\"$2\",$3}"
  done
}
# compile FOLDER SOURCE...: with the library, which is not shown to rejig
compile() {
  folder=$1
  shift
  javac -nowarn -proc:none --release 17 -cp lib -d "$folder" "$@" 2> .javac || { cat .javac >&2; exit 1; }
}
mkdir -p lib src
printf 'package lib; public class Base { }\n' > src/Base.java
compile lib src/Base.java

# A superclass becomes final; the platform's interface stands in front.
mkdir a b old new
printf 'public class A implements java.io.Serializable { }\n' > a/A.java
printf 'public class B extends A { }\n' > a/B.java
printf 'public final class A implements java.io.Serializable { }\n' > b/A.java
compile old a/A.java a/B.java
compile new b/A.java
cp old/B.class new
edge "a final superclass" D14 '"entity":"B"'

# A field that its reader may use no more, behind an interface of the platform.
rm -r a b old new
mkdir a b old new
printf 'class A { static int f = Integer.parseInt("1"); }\nclass B extends A implements java.io.Serializable { }\n' > a/A.java
printf 'class R { static int r() { return B.f; } }\n' > a/R.java
sed 's/static int f/private static int f/' a/A.java > b/A.java
compile old a/A.java a/R.java
compile new b/A.java
cp old/R.class new
edge "a private field" D5 '"entity":"R.r()I"'

# A default that overrides another one, for receivers below a class of a library.
rm -r a b old new
mkdir a b old new
printf 'interface I { default int m() { return 1; } }\n' > a/I.java
printf 'interface J extends I { }\n' > a/J.java
printf 'class C extends lib.Base implements J { }\n' > a/C.java
printf 'interface J extends I { default int m() { return 2; } }\n' > b/J.java
compile old a/I.java a/J.java a/C.java
compile new a/I.java b/J.java
cp old/C.class new
edge "an overriding default" D8 '"label":"C"'

# Nothing of that changed: no edge but the one of the body.
rm -r new
mkdir new
sed 's/return 1/return 3/' a/I.java > b/I.java
compile new b/I.java a/J.java
cp old/C.class new
exits "a body" 1 "$rejig" diff old new --format ndjson
holds "a body" "$(cat .out)" '{"type":"edge","rule":"D1"}'
holds "and nothing else" "$(head -n 1 .out)" '{"counts":{"edges":1}}'

done_testing
