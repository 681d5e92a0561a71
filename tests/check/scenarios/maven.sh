#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# RTSCheck's bugs that only a build shows, in one Maven project that nobody prepared:
#   Clover-13   nothing is added to the shared cache            STARTS-3  h2 1.4.197 on the class path
#   Clover-15   tests that the pom names run, and no others     STARTS-4  tests in an unusual place
#   Clover-16   everything is found on the class path of the tests
#   Ekstazi-3   the Surefire that an old build uses (2.12.4)
# Environment: REJIG REJIG_AGENT REJIG_JUNIT_JAR
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir -p "a project/code/p" "a project/checks/p"
cd "a project" || exit 1
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId>
  <artifactId>scenarios</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>1.4.197</version></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>
  </dependencies>
  <build>
    <sourceDirectory>code</sourceDirectory>
    <testSourceDirectory>checks</testSourceDirectory>
    <plugins>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>2.12.4</version>
        <configuration>
          <includes><include>**/Check*.java</include></includes>
          <excludes><exclude>**/CheckNot.java</exclude></excludes>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
POM
cat > code/p/A.java <<'JAVA'
package p;
public class A { public static int f() { return 1; } }
JAVA
cat > code/p/Db.java <<'JAVA'
package p;
public class Db {
  public static int one() throws Exception {
    try (java.sql.Connection c = java.sql.DriverManager.getConnection("jdbc:h2:mem:"); java.sql.ResultSet r = c.createStatement().executeQuery("select 1")) {
      r.next();
      return r.getInt(1);
    }
  }
}
JAVA
check() {
  cat > "checks/p/$1.java" <<JAVA
package p;
public class $1 {
  @org.junit.Test public void t() throws Exception { System.out.println("RAN:$1"); org.junit.Assert.assertTrue($2); }
}
JAVA
}
check CheckA 'A.f() > 0'
check CheckDb 'Db.one() == 1'
check CheckNot 'false'
check UsualTest 'false'

failures=0
# expect NAME TEST...: what ran last, and that it went well
expect() {
  name=$1
  shift
  ran=$(sed -n 's/^.*RAN://p' "$work/out" | sort -u | tr '\n' ' ')
  [ "$code" = 0 ] && [ "$ran" = "${*:+$* }" ] && { echo "ok $name: $ran"; return; }
  echo "FAILED $name: exit $code, ran [$ran], wanted [$*]"
  cat "$work/out" "$work/err"
  failures=$((failures + 1))
}
cache() { find "${MAVEN_LOCAL:-$HOME/.m2/repository}" -type f ! -name '*.lastUpdated' ! -name 'resolver-status.properties' | sort; }
selected() {
  "$REJIG" run -- mvn -B -ntp -o test > "$work/out" 2> "$work/err"
  code=$?
}

mvn -B -ntp test > "$work/out" 2> "$work/err"
code=$?
expect "without rejig" CheckA CheckDb
cache > "$work/cache"
selected
expect "first run (R6: all, as the pom says; Clover-15, Clover-16, Ekstazi-3, STARTS-3, STARTS-4)" CheckA CheckDb
selected
expect "nothing changed (R5)"
sed -i 's/return 1;/return 2;/' code/p/A.java
selected
expect "A.f changed (R1)" CheckA
cache | cmp -s - "$work/cache" || { echo "FAILED the shared cache changed (Clover-13)"; cache | diff "$work/cache" - | head; failures=$((failures + 1)); }
exit "$failures"
