#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# testng.sh REJIG MAKE_STORE JARS VERSION: the suite file runs the selected classes, dependencies included.
. "$(dirname "$0")/lib.sh" "$1" "$2"
jars=$3
version=$4
path="$jars/testng-$version.jar:$jars/jcommander-1.82.jar:$jars/slf4j-api-1.7.36.jar:$jars/jquery-3.5.1.jar"
mkdir -p $classes
javac -g -proc:none -d $classes -cp "$path" $(find "$here/testng" -name '*.java') || exit 1
store 'n.DepTest#dep()'
emit testng-xml suite.xml
java -cp "$classes:$path" org.testng.TestNG -d report suite.xml > testng.log 2>&1 || { cat testng.log >&2; exit 1; }
ran "TestNG $version: what it depends on comes along" 'n.DepTest#dep()' 'n.DepTest#two()'

done_testing
