#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig diff --walk, the second way to the dangerous edges: the same ones as the
# first, the same bytes at any number of threads, nothing for the same program.
#   walk.sh REJIG MAKE_STORE JUNIT_JARS
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh" "$@"
junit=$3/junit-4.13.2.jar
asm=$3/asm-tree-9.9.1.jar

# A library that lost a class, and another one whose supertypes, members and
# constants are others: what its unchanged classes mean changes everywhere.
mkdir changed sources
(cd changed && jar --extract --file "$junit")
rm changed/org/junit/rules/Timeout.class
mkdir -p sources/org/junit/runner
cat > sources/org/junit/runner/Runner.java <<'END'
package org.junit.runner;
public abstract class Runner {
  static final int ADDED = Integer.parseInt("1");
  public abstract void run(org.junit.runner.notification.RunNotifier notifier);
  public int testCount() { return 2; }
  @Override public String toString() { return "runner"; }
}
END
quick_javac -nowarn -proc:none --release 8 -cp changed -d changed sources/org/junit/runner/Runner.java 2> .javac || { cat .javac >&2; exit 1; }
exits "pruned" 1 "$rejig" diff "$junit" changed --format ndjson
mv .out first
exits "walked" 1 "$rejig" diff "$junit" changed --format ndjson --walk
mv .out walked
exits "both ways select the same" 0 python3 "$here/../support/same_atoms.py" first walked
[ "$(sed 's/ .*//' .out)" -gt 100 ] || fail "the library changed in few places: $(cat .out)"

exits "one thread" 1 "$rejig" diff --walk "$junit" changed --format json -j1
one=$(cat .out)
exits "eight threads" 1 "$rejig" diff --walk "$junit" changed --format json -j8
same "one and eight threads" "$one" "$(cat .out)"

# R5: a program against itself, and against a copy in another order.
for jar in "$junit" "$asm"; do
  exits "itself" 0 "$rejig" diff --walk "$jar" "$jar"
  python3 "$here/../noise/rezip.py" "$jar" copy.jar
  exits "a copy" 0 "$rejig" diff --walk "$jar" copy.jar
  has "a copy" "$(cat .out)" "no difference in behaviour"
done

# The graph is small enough to keep.
home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
exits "figures" 0 "$rejig" graph "$junit" --jdk "$home" --figures
sed -n 's/^bytes an edge //p' .out | awk '{ found = 1; exit $1 > 16 } END { if (!found) exit 1 }' || fail "more than 16 bytes an edge: $(tail -1 .out)"

# What nobody can read: wider, never empty.
python3 "$here/make_bad_inputs.py" in || exit 1
for file in half encrypted dotdot twice cyclic nested; do
  exits "$file as the new one" 1 "$rejig" diff --walk in/good.jar in/$file.jar
  exits "$file as the old one" 1 "$rejig" diff --walk in/$file.jar in/good.jar
done
exits "the same unreadable class" 0 "$rejig" diff --walk in/half.jar in/half.jar
has "the same unreadable class" "$(cat .err)" "in/half.jar"
done_testing
