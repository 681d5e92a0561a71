#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# testng.sh VERSION LIFE: a project whose tests are run by TestNG's own main class.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/testng-$1.jar:$ARTIFACTS/jcommander-1.82.jar:$ARTIFACTS/slf4j-api-1.7.36.jar
# TestNG's exit code is a set: 1 failed, 2 skipped, 8 no test at all (6.14.3 answers 0).
command="java -cp main:tests:$api org.testng.TestNG -usedefaultlisteners false -testclass \$(cd tests && ls p/*Test.class | sed 's/.class//; s,/,.,g' | paste -sd,)"
program
test_class 'import org.testng.annotations.Test;
import static org.testng.Assert.assertEquals;' 'public'
"$2"
done_with
