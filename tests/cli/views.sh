#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig select --view static: what can each test reach, and who may reach everything.
. "$(dirname "$0")/lib.sh" "$@"
home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")

mkdir -p lib/org/junit lib/strange a/p b/p
printf 'package org.junit;\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Test {}\n' > lib/org/junit/Test.java
printf 'package strange;\npublic class Lib { public static void see(Object o) {} }\n' > lib/strange/Lib.java
printf 'package strange;\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Extended {}\n' > lib/strange/Extended.java
quick_javac -proc:none -d library lib/org/junit/Test.java lib/strange/*.java || exit 1
cat > a/p/Shapes.java <<'END'
package p;
class Shape { int area() { return 0; } }
class Square extends Shape { int area() { return 1; } }
class Circle extends Shape { int area() { return 2; } }
class Sum { static int of(Shape s) { return s.area(); } }
class Loud { public String toString() { return "loud" + new Circle().area(); } }
END
# test CLASS STATEMENT [ANNOTATION]
test() {
  printf 'package p;\nimport org.junit.Test;\n%s public class %s { @Test public void t() throws Exception { %s; } }\n' "${3-}" "$1" "$2" > "a/p/$1.java"
}
test Squares 'Sum.of(new Square())'
test Circles 'Sum.of(new Circle())'
test Nothing 'Math.max(1, 2)'
test Prints 'System.out.print(new Loud())'
test Literal 'Object c = Circle.class'
test Name 'Class.forName("p.Cir" + "cle").getDeclaredConstructor().newInstance()'
test Said 'new Square().getClass().getName()'
test Library 'strange.Lib.see(new Object())'
test Framework 'Math.max(1, 2)' '@strange.Extended'
cp a/p/* b/p/
sed 's/return 2/return 3/' a/p/Shapes.java > b/p/Shapes.java
for version in a b; do quick_javac -g -proc:none -cp library -d new-$version $version/p/*.java || exit 1; done
static() { "$rejig" select new-a new-b --coverage none.db --view static --format ids --lib library "$@" 2> .err | tr '\n' ' '; }
same "who can reach what changed" "p.Circles#t() p.Framework#t() p.Library#t() p.Literal#t() p.Name#t() p.Prints#t() " "$(static --jdk "$home")"
same "without a platform nobody knows" "p.Circles#t() p.Framework#t() p.Library#t() p.Literal#t() p.Name#t() p.Nothing#t() p.Prints#t() p.Said#t() p.Squares#t() " "$(static)"
exits "the answer says what it rests on" 0 "$rejig" select new-a new-b --coverage none.db --view static --format json --lib library --jdk "$home"
has "reflection" "$(cat .out)" "view static: reflection is where bytecode or a library calls it"

done_testing
