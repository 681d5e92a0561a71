#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A project whose tests are run by JUnit 4's own main class.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-4.13.2.jar:$ARTIFACTS/hamcrest-core-1.3.jar
command="java -cp main:tests:$api org.junit.runner.JUnitCore \$(cd tests && ls p/*Test.class | sed 's/.class//; s,/,.,g')"
program
test_class 'import org.junit.Test;
import static org.junit.Assert.assertEquals;' 'public'
life
done_with
