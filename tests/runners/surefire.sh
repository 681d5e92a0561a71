#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# surefire.sh REJIG MAKE_STORE VERSION [failsafe]: exactly the intended tests run under this Surefire, or Failsafe.
. "$(dirname "$0")/lib.sh" "$1" "$2"
version=$3
surefire() {
  mvn -B -q surefire:test -Dsurefire="$version" "$@" > mvn.log 2>&1 || { cat mvn.log >&2; exit 1; }
}
if [ "${4-}" = failsafe ]; then
  # It has properties of its own, and by itself looks for other names.
  echo '**/*Test.java' > names.txt
  surefire() {
    case $1 in
      *excludesFile=*) set -- "-Dfailsafe.${1#-Dsurefire.}" -Dfailsafe.includesFile=names.txt ;;
      *) set -- "-Dfailsafe.${1#-Dsurefire.}" ;;
    esac
    mvn -B -q failsafe:integration-test failsafe:verify -Dsurefire="$version" "$@" > mvn.log 2>&1 || { cat mvn.log >&2; exit 1; }
  }
fi
classes_that_run='a.b.FooTest#half() a.b.FooTest#half(org.junit.jupiter.api.TestInfo) a.b.FooTest#kept(int)
  a.b.FooTest#one() a.b.FooTest#over() a.b.FooTest#over(org.junit.jupiter.api.TestInfo) a.b.FooTest#par(int)
  a.b.FooTest#two() a.b.FooTest$In#deep() a.b.FooTest$In#flat() a.b.FooTest$Other#deep()
  a.b.InheritedTest#inherited() a.b.InheritedTest#unaffected() a.b.OldTest#legacy() a.b.OldTest#legacy2()
  x.a.b.BarTest#x()'
build
store 'a.b.FooTest#one()' 'a.b.FooTest#half()' 'a.b.FooTest#kept(int)' 'a.b.FooTest$In#deep()' \
  'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' 'a.b.InheritedTest#inherited()'

emit surefire-excludes excludes.txt
surefire -Dsurefire.excludesFile=excludes.txt
ran "$version: excludes by class" $classes_that_run

emit surefire-includes includes.txt
surefire -Dsurefire.includesFile=includes.txt
ran "$version: includes by class" $classes_that_run

# A line with a method would make Surefire drop the nested tests.
emit surefire-excludes excludes.txt --surefire-version "$version"
surefire -Dsurefire.excludesFile=excludes.txt
ran "$version: nested tests are not lost" $classes_that_run

store 'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' 'a.b.InheritedTest#inherited()'
emit surefire-excludes excludes.txt --surefire-version "$version"
surefire -Dsurefire.excludesFile=excludes.txt
case $version in
  2.*)
    ran "$version: single methods are left alone" 'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' \
      'a.b.OldTest#legacy2()' 'a.b.InheritedTest#inherited()' 'a.b.InheritedTest#unaffected()'
    ;;
  *)
    ran "$version: excludes by method" 'x.a.b.BarTest#x()' 'a.b.OldTest#legacy()' \
      'a.b.InheritedTest#inherited()'
    ;;
esac

store
emit surefire-includes includes.txt
surefire -Dsurefire.includesFile=includes.txt
ran "$version: nothing selected runs nothing"
emit surefire-excludes excludes.txt
surefire -Dsurefire.excludesFile=excludes.txt
ran "$version: everything excluded runs nothing"

done_testing
