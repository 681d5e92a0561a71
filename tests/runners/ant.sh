#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ant.sh REJIG MAKE_STORE JARS: Ant's junit task runs the selected classes of the includes file.
. "$(dirname "$0")/lib.sh" "$1" "$2"
jars=$3
path="$jars/junit-4.13.2.jar:$jars/hamcrest-core-1.3.jar"
mkdir -p $classes
cat > PlainTest.java <<'END'
package x.a.b;
import a.b.Log;
import org.junit.Test;
public class PlainTest {
  @Test public void x() { Log.ran("x.a.b.PlainTest#x()"); }
}
END
javac -g -proc:none -d $classes -cp "$path" src/test/java/a/b/OldTest.java src/test/java/a/b/Log.java PlainTest.java || exit 1
cat > build.xml <<END
<project default="test">
  <target name="test">
    <junit fork="yes" haltonfailure="yes">
      <classpath><pathelement path="$classes:$path"/></classpath>
      <batchtest><fileset dir="$classes" includesfile="includes.txt" includes="nothing.but.the.file"/></batchtest>
    </junit>
  </target>
</project>
END
run() {
  ant -q test > ant.log 2>&1 || { cat ant.log >&2; exit 1; }
}
store 'a.b.OldTest#legacy()'
emit ant-includes includes.txt
run
ran "Ant: whole classes" 'a.b.OldTest#legacy()' 'a.b.OldTest#legacy2()'
store 'x.a.b.PlainTest#x()'
emit ant-includes includes.txt
run
ran "Ant: a class of a deeper package" 'x.a.b.PlainTest#x()'
store
emit ant-includes includes.txt
run
ran "Ant: nothing selected runs nothing"

done_testing
