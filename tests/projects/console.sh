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
done_with
