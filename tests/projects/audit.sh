#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# audit.sh RUNNER ENGINE [VERSION]: `rejig audit` with the reports that a real runner writes. The old version is recorded by that runner, the new one
# run whole; what fails must be found by its id, whatever the reports call it.
# RUNNER: surefire, gradle, console, ant, antlauncher or testng. ENGINE: junit4, jupiter or testng.
. "$(dirname "$0")/lib.sh"
runner=$1
engine=$2
version=${3:-}
mkdir -p "a project/src/p" "a project/test/p"
cd "a project" || exit 1
cat >src/p/Calc.java <<'JAVA'
package p;
public class Calc {
  public static int add(int a, int b) { return a + b; }
  public static int twice(int a) { return 2 * a; }
}
JAVA
console=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
case $engine in
  junit4)
    api=$ARTIFACTS/junit-4.13.2.jar:$ARTIFACTS/hamcrest-core-1.3.jar
    dependency='<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>'
    cat >test/p/CalcTest.java <<'JAVA'
package p;
import static org.junit.Assert.assertEquals;
public class CalcTest {
  @org.junit.Test public void add() { assertEquals(5, Calc.add(2, 3)); }
  @org.junit.Test public void twice() { assertEquals(8, Calc.twice(4)); }
  @org.junit.Ignore @org.junit.Test public void ignored() { assertEquals(1, Calc.twice(4)); }
}
JAVA
    cat >test/p/RowsTest.java <<'JAVA'
package p;
import static org.junit.Assert.assertEquals;
import org.junit.runners.Parameterized;
@org.junit.runner.RunWith(Parameterized.class)
public class RowsTest {
  @Parameterized.Parameters(name = "<{0}> \"times\" two") public static Object[] data() { return new Object[] {1, 5}; }
  @Parameterized.Parameter public int n;
  @org.junit.Test public void rows() { assertEquals(n + n, Calc.twice(n)); }
  @org.junit.Test public void sum() { assertEquals(n + 1, Calc.add(n, 1)); }
}
JAVA
    failing='p.CalcTest#twice() p.RowsTest#rows()' ;;
  jupiter)
    api=$console
    dependency='<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.3</version>'
    cat >test/p/CalcTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CalcTest {
  @Test void add() { assertEquals(5, Calc.add(2, 3)); }
  @Test void twice() { assertEquals(8, Calc.twice(4)); }
  @Test void over(TestInfo info) { assertEquals(8, Calc.twice(4)); }
  @Test void over(TestReporter reporter) { assertEquals(8, Calc.add(4, 4)); }
  @ParameterizedTest @ValueSource(ints = {1, 5}) void rows(int n) { assertEquals(n + n, Calc.twice(n)); }
  @RepeatedTest(2) void again() { assertEquals(7, Calc.add(3, 4)); }
  @Disabled @Test void ignored() { assertEquals(1, Calc.twice(4)); }
  @Nested class In { @Test void deep() { assertEquals(10, Calc.twice(5)); } @Test void calm() { assertEquals(2, Calc.add(1, 1)); } }
}
JAVA
    failing='p.CalcTest#over(org.junit.jupiter.api.TestInfo) p.CalcTest#rows(int) p.CalcTest#twice() p.CalcTest$In#deep()' ;;
  testng)
    api=$ARTIFACTS/testng-7.5.1.jar:$ARTIFACTS/jcommander-1.82.jar:$ARTIFACTS/slf4j-api-1.7.36.jar
    dependency='<groupId>org.testng</groupId><artifactId>testng</artifactId><version>7.5.1</version>'
    cat >test/p/CalcTest.java <<'JAVA'
package p;
import static org.testng.Assert.assertEquals;
import org.testng.annotations.*;
public class CalcTest {
  @Test public void add() { assertEquals(5, Calc.add(2, 3)); }
  @Test public void twice() { assertEquals(8, Calc.twice(4)); }
  @DataProvider public Object[][] numbers() { return new Object[][] {{1}, {5}}; }
  @Test(dataProvider = "numbers") public void rows(int n) { assertEquals(n + n, Calc.twice(n)); }
  @Test(enabled = false) public void ignored() { assertEquals(1, Calc.twice(4)); }
}
JAVA
    failing='p.CalcTest#rows(int) p.CalcTest#twice()' ;;
esac

compile() {
  rm -rf main tests
  mkdir -p main tests
  javac -g -d main src/p/*.java || exit 1
  javac -g -cp "main:$api" -d tests test/p/*.java || exit 1
}
case $runner in
  console)
    command='java -jar "$console" -cp main:tests --scan-classpath tests --disable-banner --reports-dir reports'
    reports=reports ;;
  testng)
    command='java -cp "main:tests:$api" org.testng.TestNG -usedefaultlisteners false -listener org.testng.reporters.JUnitReportReporter -d reports -testclass p.CalcTest'
    reports=reports/junitreports ;;
  ant | antlauncher)
    case $runner in
      ant) run="<junit fork=\"yes\"><classpath><pathelement path=\"main:tests:$api\"/></classpath><formatter type=\"xml\"/>
        <batchtest todir=\"reports\"><fileset dir=\"tests\" includes=\"p/*Test.class\"/></batchtest></junit>" ;;
      *) run="<junitlauncher><classpath><pathelement path=\"main:tests:$api\"/></classpath>
        <testclasses outputdir=\"reports\"><fileset dir=\"tests\" includes=\"p/*Test.class\"/><fork/><listener type=\"legacy-xml\" sendSysOut=\"true\"/></testclasses></junitlauncher>" ;;
    esac
    echo "<project default=\"test\"><target name=\"test\"><mkdir dir=\"reports\"/>$run</target></project>" >build.xml
    command='ant -q'
    reports=reports ;;
  gradle)
    GRADLE_USER_HOME=$work/gradle-home
    export GRADLE_USER_HOME
    compile() { :; }
    cat >build.gradle <<GRADLE
apply plugin: 'java'
sourceSets { main { java.srcDirs = ['src'] }; test { java.srcDirs = ['test'] } }
dependencies { testCompile files($(echo "$api" | sed "s/[^:]*/'&'/g; s/:/, /g")) }
test { ignoreFailures = true; $([ "$engine" != testng ] || echo 'useTestNG()') }
GRADLE
    command='gradle --offline --console plain -q cleanTest test'
    main=build/classes/java/main
    tests=build/classes/java/test
    reports=build/test-results/test ;;
  surefire)
    compile() { :; }
    cat >pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId><artifactId>audit</artifactId><version>1</version>
  <properties><maven.compiler.release>11</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.test.failure.ignore>true</maven.test.failure.ignore></properties>
  <dependencies><dependency>$dependency<scope>test</scope></dependency></dependencies>
  <build><sourceDirectory>src</sourceDirectory><testSourceDirectory>test</testSourceDirectory>
    <plugins>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>$version</version></plugin>
    </plugins>
  </build>
</project>
POM
    command='mvn -B -ntp -q test'
    main=target/classes
    tests=target/test-classes
    reports=target/surefire-reports ;;
esac
main=${main:-main}
tests=${tests:-tests}

check() { [ "$1" = "$2" ] || { echo "FAILED: $3: '$1', wanted '$2'"; cat "$work/said" 2>/dev/null; failures=$((failures + 1)); }; }
# A run whose tests may fail: Ant and the others say so, or not.
whole() { sh -c "$command" >"$work/log" 2>&1 || true; }
export console api

compile
"$REJIG" -q record --suite default --store rows.db --internal-root "$main:$tests" -- sh -c "$command" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cp -r "$main" "$work/old-main"
cp -r "$tests" "$work/old-tests"
sed -i 's/return 2 \* a/return a > 3 ? 3 * a : 2 * a/' src/p/Calc.java
rm -rf "$reports"
compile
whole
ls "$reports"/*.xml >/dev/null || { cat "$work/log"; exit 1; }
audit() {
  "$REJIG" audit "$work/old-main:$work/old-tests" "$main:$tests" --lib "$(echo "$api" | sed 's/:$//')" --coverage rows.db --results "$reports" "$@" >"$work/said" 2>&1
  code=$?
}
missed() { sed -n 's/^  MISSED \(.*\): .*/\1/p' "$work/said" | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'; }
audit
check "$code" 0 'the views miss nothing'
check "$(grep -c '^view .*: selected' "$work/said")" 2 'two views'
check "$(missed)" '' 'the views miss nothing'
audit --view method --view edge --view class --view hybrid --view static
check "$code" 0 'no view misses anything'
: >empty.ids
audit --selection empty.ids
check "$code" 1 'a list that selects nothing'
check "$(missed)" "$failing" 'what a list that selects nothing misses'
check "$(grep -c 'MISSED .*(.*: pass, now \(fail\|error\)$' "$work/said")" "$(echo "$failing" | wc -w)" 'exactly these'
echo "$failing" | tr ' ' '\n' >right.ids
audit --selection right.ids
check "$code" 0 'a list of these'
# Another run of the same version, in which one of them is said to have passed: that one differs by itself.
cp -r "$reports" again
python3 - again <<'PY'
import pathlib, sys, xml.etree.ElementTree as tree
done = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.xml")):
    document = tree.parse(path)
    for case in document.iter("testcase"):
        if case.get("name").split("(")[0].split("{")[0] == "twice":
            for child in [c for c in case if c.tag in ("failure", "error")]:
                case.remove(child)
                done += 1
    document.write(path)
assert done >= 1, done
PY
audit --selection empty.ids --results-again again
check "$code" 1 'two runs'
check "$(grep -c '^flaky, not counted: p.CalcTest#twice()$' "$work/said")" 1 'the flaky one'
check "$(missed)" "$(echo "$failing" | sed 's/ *p.CalcTest#twice()//; s/^ //')" 'what two runs miss'
done_with
