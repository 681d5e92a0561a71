#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# maven.sh ENGINE SUREFIRE LIFE [CONFIGURATION]: a Maven project nobody prepared.
# ENGINE: jupiter, modular (the same on the module path), junit4 or testng. LIFE: life, brief or everything (nothing may
# be skipped). CONFIGURATION goes into Surefire's, as in the pom.
. "$(dirname "$0")/lib.sh"
engine=$1
surefire=$2
configuration=${4:-}
case $engine in
  jupiter|modular)
    dependency='<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.3</version>'
    imports='import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;' ;;
  junit4)
    dependency='<groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>'
    imports='import org.junit.Test;
import static org.junit.Assert.assertEquals;' ;;
  testng)
    dependency='<groupId>org.testng</groupId><artifactId>testng</artifactId><version>7.5.1</version>'
    imports='import org.testng.annotations.Test;
import static org.testng.Assert.assertEquals;' ;;
esac
compile() { :; }
command="mvn -B -ntp test"
failed_exit=1
killed_exit=1
killed_ran=
program
mkdir -p "my project"
mv src test resources "my project"
cd "my project" || exit 1
cat >pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId>
  <artifactId>plain</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>$dependency<scope>test</scope></dependency></dependencies>
  <build>
    <sourceDirectory>src</sourceDirectory>
    <testSourceDirectory>test</testSourceDirectory>
    <resources><resource><directory>resources</directory></resource></resources>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>$surefire</version>
        <configuration>$configuration</configuration>
      </plugin>
    </plugins>
  </build>
</project>
POM
test_class "$imports" public
if [ "$engine" = modular ]; then
  echo 'module p.main { exports p; }' >src/module-info.java
fi
case $configuration in *parallel*) at_least=1 ;; esac
"$3"
# Which tests a build is told to run is no other setting.
if [ "$3" = brief ]; then
  command='mvn -B -ntp -Dtest=NoSuch,*Test#mul -Dsurefire.failIfNoSpecifiedTests=false -DskipITs test'
  edit 's/return a \* b/return b * a/' src/p/Calc.java
  expect 'a choice of tests' 0 mul
  command='mvn -B -ntp test'
  expect 'and none' 0
fi
[ "$3" != everything ] || says_why
done_with
