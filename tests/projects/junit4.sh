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
# The last run left the program in the matrix: a selection needs the new build only, with or without its libraries.
alone=$("$REJIG" select main:tests --format ids 2> alone.err)
[ "$alone" = "" ] || { echo "FAILED: the matrix alone: $alone $(cat alone.err)"; failures=$((failures + 1)); }
alone=$("$REJIG" select --class-path "main:tests:$api" --format ids 2> alone.err)
[ "$alone" = "" ] || { echo "FAILED: the matrix and a class path: $alone $(cat alone.err)"; failures=$((failures + 1)); }
done_with
