#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jacoco.sh option|variable LIFE: JaCoCo's agent in the same JVMs, on the command line
# (as Maven and Gradle have it), or in JAVA_TOOL_OPTIONS. Ours is in front of it, so
# that it sees the bytes of the files.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
jacoco="-javaagent:$ARTIFACTS/org.jacoco.agent-0.8.12-runtime.jar=destfile=$work/jacoco.exec"
command="java $jacoco -jar $api -cp main:tests --scan-classpath tests --disable-banner"
if [ "$1" = variable ]; then
  command="java -jar $api -cp main:tests --scan-classpath tests --disable-banner"
  JAVA_TOOL_OPTIONS=$jacoco
  export JAVA_TOOL_OPTIONS
fi
program
test_class 'import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ''
"$2"
[ -s "$work/jacoco.exec" ] || { echo 'FAILED: JaCoCo wrote nothing'; failures=$((failures + 1)); }
done_with
