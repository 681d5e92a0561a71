#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two Maven modules built in parallel: the second uses the first one's classes and
# its test-jar, and has integration tests that Failsafe runs against the archive.
. "$(dirname "$0")/lib.sh"
command="mvn -B -ntp -T 2 verify"
cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
  <modules><module>core</module><module>app</module></modules>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.3</version><scope>test</scope>
  </dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
    <plugin><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version>
      <executions><execution><goals><goal>test-jar</goal></goals></execution></executions></plugin>
    <plugin><artifactId>maven-failsafe-plugin</artifactId><version>3.2.5</version>
      <executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions></plugin>
  </plugins></build>
</project>
POM
# module NAME DEPENDENCIES
module() {
  mkdir -p "$1/src/main/java/$1" "$1/src/test/java/$1"
  cat >"$1/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version></parent>
  <artifactId>$1</artifactId>
  <dependencies>$2</dependencies>
</project>
POM
}
# test_of MODULE CLASS: the methods follow on standard input.
test_of() {
  { echo "package $1;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
public class $2 {
  static void ran(String name) { System.out.println(\"RAN:\" + name); }"; cat; echo '}'; } >"$1/src/test/java/$1/$2.java"
}
module core ''
uses_core='<groupId>rejig.tests</groupId><artifactId>core</artifactId><version>1</version>'
module app "<dependency>$uses_core</dependency><dependency>$uses_core<type>test-jar</type><scope>test</scope></dependency>"
cat >core/src/main/java/core/Core.java <<'JAVA'
package core;
public class Core {
  public static int one() { return 1; }
  public static int two() { return 2; }
}
JAVA
cat >app/src/main/java/app/App.java <<'JAVA'
package app;
public class App {
  public static int three() { return core.Core.one() + 2; }
  public static int four() { return 4; }
}
JAVA
test_of core Fixture <<'JAVA'
  public static int five() { return 5; }
JAVA
test_of core CoreTest <<'JAVA'
  @Test public void one() { ran("core-one"); assertEquals(1, Core.one()); }
  @Test public void two() { ran("core-two"); assertEquals(2, Core.two()); }
JAVA
test_of app AppTest <<'JAVA'
  @Test public void three() { ran("app-three"); assertEquals(3, App.three()); }
  @Test public void four() { ran("app-four"); assertEquals(4, App.four()); }
  @Test public void five() { ran("app-five"); assertEquals(5, core.Fixture.five()); }
JAVA
test_of app AppIT <<'JAVA'
  @Test public void three() { ran("it-three"); assertEquals(3, App.three()); }
  @Test public void four() { ran("it-four"); assertEquals(4, App.four()); }
JAVA
all='core-one core-two app-three app-four app-five it-three it-four'
expect 'first run' 0 $all
expect 'no change' 0
sed -i 's/return 1;/int i = 0; return i + 1;/' core/src/main/java/core/Core.java
expect 'a body in the module below' 0 core-one app-three it-three
sed -i 's/return 4;/int i = 3; return i + 1;/' app/src/main/java/app/App.java
expect 'a body in the module above' 0 app-four it-four
sed -i 's/return 5;/int i = 4; return i + 1;/' core/src/test/java/core/Fixture.java
expect 'a fixture in the test-jar' 0 app-five
sed -i 's/return i + 1;/return i + 9;/; s/return 2;/int j = 1; return j + 1;/' core/src/main/java/core/Core.java
expect 'the module below fails, the one above is left out' 1 core-one core-two
sed -i 's/return i + 9;/return 1;/' core/src/main/java/core/Core.java
expect 'repaired' 0 core-one app-three it-three
expect 'then no change' 0
done_with
