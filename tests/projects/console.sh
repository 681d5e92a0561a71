#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# console.sh VERSION LIFE [parallel]: a project whose tests are run by the console launcher
# of JUnit 5 or 6. `life` also changes what the JVM is started with.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-$1.jar
word=
case $1 in 1.13.*|6.*) word=execute ;; esac
scan="-jar $api $word -cp main:tests --scan-classpath tests"
command="java $scan"
if [ "${3:-}" = parallel ]; then
  command="$command --config junit.jupiter.execution.parallel.enabled=true --config junit.jupiter.execution.parallel.mode.default=concurrent"
  at_least=1
fi
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
"$2"
if [ "$2" = life ]; then
  command="java -Dasked.of.nobody=1 $scan"
  expect 'another property' 0 $all more-add
  expect 'the same again' 0
  command="java -Dasked.of.nobody=1 -da $scan"
  expect 'another option' 0 $all more-add
  TZ=Asia/Tokyo
  export TZ
  expect 'another zone' 0 $all more-add
  UNREAD=1
  export UNREAD
  expect 'a variable that no test reads' 0
fi
done_with
