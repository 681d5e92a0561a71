#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the JVM of the tests refuses, or may refuse: a class file of a newer Java,
# an archive whose end record lies. Every test that fails for it must run.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
command="java -jar $api -cp main:tests --scan-classpath tests"
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
echo 2 >data.txt
compile
all='add mul who config kill data'

# The major version of the JVM behind `java`, and the next one.
feature=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
# set_major FILE FEATURE
set_major() {
  major=$(printf '%03o' $((44 + $2)))
  printf "\\$major" | dd of="$1" bs=1 seek=7 conv=notrunc 2>/dev/null
}
says() {
  if ! grep -q "$1" "$work/out" "$work/err"; then
    echo "FAILED $name: nothing says '$1'"
    failures=$((failures + 1))
  fi
}

expect 'first run' 0 $all
expect 'no change' 0
set_major main/p/Derived.class $((feature + 1))
expect 'a class file of the next Java' 1 who
says UnsupportedClassVersionError
expect 'still' 1 who
compile
expect 'as it was' 0 who
set_major main/p/Derived.class 11
expect 'of an older one' 0
compile
set_major main/p/Base.class $((feature + 1))
expect 'what a class stands below' 1 who
compile
expect 'as it was again' 0 who

# The end record says that there are more entries than there are.
pack() { (cd main && jar c0f ../main.jar .); }
lie() {
  size=$(wc -c <main.jar)
  printf '\377\017\377\017' | dd of=main.jar bs=1 seek=$((size - 22 + 8)) conv=notrunc 2>/dev/null
}
command="java -jar $api -cp main.jar:tests --scan-classpath tests"
pack
# The launcher is told another class path.
expect 'an archive of the same' 0 $all
expect 'no change of it' 0
lie
sh -c "$command" >/dev/null 2>&1
truth=$?
expect 'an archive that some JVMs refuse' $truth $all
[ $truth -eq 0 ] && expect 'the same once more' 0
pack
expect 'a good one' 0 $all
expect 'and again' 0
done_with
