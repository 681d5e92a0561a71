#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cucumber on the JUnit Platform beside Jupiter, by Maven: the scenarios are one test,
# that of the suite's class. A suite whose tests are all skipped must not fail.
. "$(dirname "$0")/lib.sh"
command="mvn -B -ntp test"
mkdir -p src/main/java/p src/test/java/p src/test/resources/p
cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId><artifactId>cucumber</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.3</version><scope>test</scope></dependency>
    <dependency><groupId>org.junit.platform</groupId><artifactId>junit-platform-suite</artifactId><version>1.9.3</version><scope>test</scope></dependency>
    <dependency><groupId>io.cucumber</groupId><artifactId>cucumber-java</artifactId><version>7.12.1</version><scope>test</scope></dependency>
    <dependency><groupId>io.cucumber</groupId><artifactId>cucumber-junit-platform-engine</artifactId><version>7.12.1</version><scope>test</scope></dependency>
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
  </plugins></build>
</project>
POM
cat >src/main/java/p/Calc.java <<'JAVA'
package p;
public class Calc {
  public static int add(int a, int b) { return a + b; }
  public static int mul(int a, int b) { return a * b; }
}
JAVA
cat >src/test/java/p/FeaturesTest.java <<'JAVA'
package p;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectClasspathResource;
import org.junit.platform.suite.api.Suite;
@Suite @IncludeEngines("cucumber") @SelectClasspathResource("p")
public class FeaturesTest { }
JAVA
cat >src/test/java/p/Steps.java <<'JAVA'
package p;
import io.cucumber.java.en.Then;
import static org.junit.jupiter.api.Assertions.assertEquals;
public class Steps {
  @Then("{word} says {int} and {int} make {int}")
  public void make(String name, int a, int b, int sum) { System.out.println("RAN:" + name); assertEquals(sum, Calc.add(a, b)); }
}
JAVA
cat >src/test/java/p/CalcTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class CalcTest {
  @Test void mul() { System.out.println("RAN:mul"); assertEquals(6, Calc.mul(2, 3)); }
  @Test void add() { System.out.println("RAN:add"); assertEquals(5, Calc.add(2, 3)); }
}
JAVA
cat >src/test/resources/p/sums.feature <<'FEATURE'
Feature: sums
  Scenario: small
    Then small says 1 and 2 make 3
  Scenario: large
    Then large says 100 and 200 make 300
FEATURE
scenarios='small large'
expect 'first run' 0 $scenarios mul add
expect 'no change' 0
sed -i 's/return a \* b/return b * a/' src/main/java/p/Calc.java
expect 'a body that no scenario runs' 0 mul
sed -i 's/return a + b/return b + a/' src/main/java/p/Calc.java
expect 'a body that the scenarios run' 0 $scenarios add
# Features are read at discovery, which is everybody's who runs in that JVM.
at_least=1
sed -i 's/make 300/make 301/' src/test/resources/p/sums.feature
expect 'a scenario that fails' 1 $scenarios
sed -i 's/make 301/make 300/' src/test/resources/p/sums.feature
expect 'repaired' 0 $scenarios
expect 'then no change' 0
done_with
