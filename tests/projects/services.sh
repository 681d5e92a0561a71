#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a program looks up at run time: providers of a service, a class that may be
# there, a resource that may be there.
. "$(dirname "$0")/lib.sh"
console=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
api=$console
command="java -jar $console -cp main:tests --scan-classpath tests --disable-banner"
mkdir -p src/p test/p resources/META-INF/services
cat >src/p/Plugin.java <<'JAVA'
package p;
public interface Plugin { int weight(); }
JAVA
cat >src/p/One.java <<'JAVA'
package p;
public class One implements Plugin { public int weight() { return 1; } }
JAVA
cat >src/p/Plugins.java <<'JAVA'
package p;
public class Plugins {
  public static int count() {
    int n = 0;
    for (Plugin plugin : java.util.ServiceLoader.load(Plugin.class)) n++;
    return n;
  }
  public static int weight() {
    int n = 0;
    for (Plugin plugin : java.util.ServiceLoader.load(Plugin.class)) n += plugin.weight();
    return n;
  }
  public static boolean has(String name) {
    try { Class.forName(name); return true; } catch (ClassNotFoundException e) { return false; }
  }
  public static boolean configured() { return Plugins.class.getResource("/local.txt") != null; }
}
JAVA
echo p.One >resources/META-INF/services/p.Plugin
cat >test/p/PluginsTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertTrue;
import org.junit.jupiter.api.Test;
class PluginsTest {
  private static void ran(String name) { System.out.println("RAN:" + name); }
  @Test void count() { ran("count"); assertTrue(Plugins.count() > 0); }
  @Test void weight() { ran("weight"); assertTrue(Plugins.weight() > 0); }
  @Test void optional() { ran("optional"); Plugins.has("p.Optional"); }
  @Test void local() { ran("local"); Plugins.configured(); }
  @Test void direct() { ran("direct"); assertTrue(new One().weight() > 0); }
  @Test void nothing() { ran("nothing"); }
}
JAVA
compile
expect 'first run' 0 count weight optional local direct nothing
expect 'no change' 0
sed 's/One/Two/; s/return 1/return 2/' src/p/One.java >src/p/Two.java
compile
expect 'a class that nobody names' 0
echo p.Two >>resources/META-INF/services/p.Plugin
compile
expect 'now it is a provider' 0 count weight
edit 's/return 2/return 3/' src/p/Two.java
expect 'a body of the provider' 0 weight
edit 's/return 1/return 4/' src/p/One.java
expect 'a body of the other' 0 weight direct
sed 's/One/Optional/' src/p/One.java >src/p/Optional.java
compile
expect 'the class that was looked for' 0 optional
echo here >resources/local.txt
compile
expect 'the resource that was looked for' 0 local
rm src/p/Optional.java resources/local.txt
compile
expect 'both are gone again' 0 optional local
sed -i /Two/d resources/META-INF/services/p.Plugin
compile
expect 'one provider again' 0 count weight
expect 'no change after it' 0
done_with
