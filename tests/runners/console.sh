#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# console.sh REJIG MAKE_STORE JARS VERSION: exactly the intended tests run under this console launcher.
. "$(dirname "$0")/lib.sh" "$1" "$2"
jars=$3
version=$4
console() {
  word=execute
  case $version in 1.9.*) word= ;; esac
  java -jar "$jars/junit-platform-console-standalone-$version.jar" $word --disable-banner \
    -cp "$classes:$jars/junit-4.13.2.jar:$jars/hamcrest-core-1.3.jar" "$@" > console.log 2>&1 ||
    { cat console.log >&2; exit 1; }
}
mkdir -p $classes
javac -g -proc:none -d $classes -cp "$jars/junit-platform-console-standalone-1.9.2.jar:$jars/junit-4.13.2.jar" \
  $(find src -name '*.java') || exit 1

store 'a.b.FooTest#one()' 'a.b.FooTest#half(org.junit.jupiter.api.TestInfo)' 'a.b.FooTest#kept(int)' \
  'a.b.FooTest$In#deep()' 'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' 'a.b.InheritedTest#inherited()'
# A row of a test that NEW does not have: its name would abort the whole run.
{
  printf 'row\tdefault\ta.b.GoneTest#x()\tcomplete\tfail\tall\n'
  while read -r id; do
    result=pass
    grep -qxF -- "$id" selected.txt && result=fail
    printf 'row\tdefault\t%s\tcomplete\t%s\tall\n' "$id" "$result"
  done < all.txt
} | "$make_store" m.db || exit 1
emit console-args args.txt
grep -q GoneTest args.txt && { echo "FAILED: a stale name" >&2; failures=1; }
console @args.txt
ran "console $version: by method" 'a.b.FooTest#one()' 'a.b.FooTest#half(org.junit.jupiter.api.TestInfo)' \
  'a.b.FooTest#kept(int)' 'a.b.FooTest$In#deep()' 'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' \
  'a.b.InheritedTest#inherited()'

done_testing
