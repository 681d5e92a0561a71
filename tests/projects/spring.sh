#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Spring Boot's tests: the application context is made once, for the first class that
# asks, and the second is handed the same one. What made it is the work of both.
. "$(dirname "$0")/lib.sh"
api=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
for name in boot-2.7.18 boot-test-2.7.18 core-5.3.31 jcl-5.3.31 beans-5.3.31 context-5.3.31 aop-5.3.31 expression-5.3.31 test-5.3.31; do
  api=$api:$ARTIFACTS/spring-$name.jar
done
command="java -XX:TieredStopAtLevel=1 -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests --disable-banner"
# Spring reads class files: sources are compiled with their parameters' names, as its plugins do.
compile() {
  mkdir -p main tests
  javac -g -parameters -cp "$api" -d main src/p/*.java || exit 1
  cp -r resources/. main/
  javac -g -parameters -cp "main:$api" -d tests test/p/*.java || exit 1
}
mkdir -p src/p test/p resources
echo 'word=hello' >resources/application.properties
cat >src/p/Greeter.java <<'JAVA'
package p;
public class Greeter {
  private final String word;
  public Greeter(String word) { this.word = word; }
  public int size() { return word.length(); }
}
JAVA
cat >src/p/Config.java <<'JAVA'
package p;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
@Configuration
public class Config {
  @Bean public Greeter greeter(@Value("${word}") String word) { return new Greeter(word); }
}
JAVA
cat >src/p/Other.java <<'JAVA'
package p;
public class Other { public static int two() { return 2; } }
JAVA
# test NAME
context_test() {
  cat >test/p/$1Test.java <<JAVA
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
@SpringBootTest(classes = Config.class)
class $1Test {
  @Autowired Greeter greeter;
  @Test void one() { System.out.println("RAN:$1"); assertEquals(5, greeter.size()); }
}
JAVA
}
context_test First
context_test Second
cat >test/p/PlainTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class PlainTest {
  @Test void one() { System.out.println("RAN:plain"); assertEquals(2, Other.two()); }
}
JAVA
compile
expect 'first run' 0 First Second plain
expect 'no change' 0
edit 's/this.word = word;/this.word = word + "";/' src/p/Greeter.java
expect 'the constructor of a bean' 0 First Second
edit 's/return new Greeter(word);/return new Greeter("" + word);/' src/p/Config.java
expect 'what makes the bean' 0 First Second
echo 'word=howdy' >resources/application.properties
compile
expect 'what the context reads' 0 First Second
edit 's/return 2;/return 1 + Other.class.getModifiers();/' src/p/Other.java
expect 'something else' 0 plain
edit 's/this.word = word + "";/this.word = word + "!";/' src/p/Greeter.java
expect 'both fail' 1 First Second
edit 's/this.word = word + "!";/this.word = word;/' src/p/Greeter.java
expect 'repaired' 0 First Second
expect 'then no change' 0
done_with
