#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ant.sh TASK LIFE [FORK]: an Ant project. TASK: junit (JUnit 4) or junitlauncher
# (JUnit 5); FORK: once (default), perTest,
# no (in Ant's own JVM), or lib (there too, with JUnit on Ant's own class path).
. "$(dirname "$0")/lib.sh"
fork=${3:-once}
compile() { :; }
command="ant test"
killed_exit=1
console=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
case $1 in
  junit)
    jars="$ARTIFACTS/junit-4.13.2.jar:$ARTIFACTS/hamcrest-core-1.3.jar"
    imports='import org.junit.Test;
import static org.junit.Assert.assertEquals;'
    forking="fork=\"yes\" forkmode=\"$fork\""
    case $fork in
      no) forking='fork="no"' ;;
      lib) forking='fork="no"'; command="ant -lib $jars test" ;;
    esac
    run="<junit $forking printsummary=\"yes\" showoutput=\"yes\" failureproperty=\"failed\">
      <classpath><pathelement path=\"main:tests:$jars\"/></classpath>
      <batchtest><fileset dir=\"tests\" includes=\"p/*Test.class\"/></batchtest>
    </junit>" ;;
  junitlauncher)
    jars=$console
    imports='import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;'
    run="<junitlauncher printSummary=\"true\" failureProperty=\"failed\">
      <classpath><pathelement path=\"main:tests:$jars\"/></classpath>
      <testclasses outputdir=\"reports\">
        <fileset dir=\"tests\" includes=\"p/*Test.class\"/>
        <fork/>
      </testclasses>
    </junitlauncher>" ;;
esac
program
cat >build.xml <<XML
<project default="test">
  <target name="test">
    <delete dir="main"/><delete dir="tests"/><mkdir dir="main"/><mkdir dir="tests"/><mkdir dir="reports"/>
    <javac srcdir="src" destdir="main" includeantruntime="false" debug="true"/>
    <copy todir="main"><fileset dir="resources"/></copy>
    <javac srcdir="test" destdir="tests" classpath="main:$jars" includeantruntime="false" debug="true"/>
    $run
    <fail if="failed"/>
  </target>
</project>
XML
test_class "$imports" public
"$2"
[ "$2" != everything ] || says_why
done_with
