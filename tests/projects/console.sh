#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project whose tests are run by the console launcher of JUnit 5.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
command="java -jar $api -cp main:tests --scan-classpath tests --disable-banner"
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
life
command="java -Dasked.of.nobody=1 -jar $api -cp main:tests --scan-classpath tests --disable-banner"
expect 'another property' 0 $all more-add
expect 'the same again' 0
command="java -Dasked.of.nobody=1 -da -jar $api -cp main:tests --scan-classpath tests --disable-banner"
expect 'another option' 0 $all more-add
TZ=Asia/Tokyo
export TZ
expect 'another zone' 0 $all more-add
UNREAD=1
export UNREAD
expect 'a variable that no test reads' 0
done_with
