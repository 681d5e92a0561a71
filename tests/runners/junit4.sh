#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# junit4.sh REJIG MAKE_STORE JARS: JUnitCore runs the selected classes of the list.
. "$(dirname "$0")/lib.sh" "$1" "$2"
jars=$3
path="$jars/junit-4.13.2.jar:$jars/hamcrest-core-1.3.jar"
mkdir -p $classes
javac -g -proc:none -d $classes -cp "$path" src/test/java/a/b/OldTest.java src/test/java/a/b/Log.java || exit 1
store 'a.b.OldTest#legacy()'
emit junit4-list list.txt
java -cp "$classes:$path" org.junit.runner.JUnitCore $(cat list.txt) > junit.log 2>&1 || { cat junit.log >&2; exit 1; }
ran "JUnit 4: whole classes" 'a.b.OldTest#legacy()' 'a.b.OldTest#legacy2()'

done_testing
