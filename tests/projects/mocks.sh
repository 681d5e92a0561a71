#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Classes that Mockito makes at run time, in the name of the folder that holds
# the mocked class: no program has their digest, and they stop no selection.
. "$(dirname "$0")/lib.sh"
console=$ARTIFACTS/junit-platform-console-standalone-1.9.3.jar
mockito=$ARTIFACTS/mockito-core-4.11.0.jar:$ARTIFACTS/byte-buddy-1.12.19.jar:$ARTIFACTS/byte-buddy-agent-1.12.19.jar:$ARTIFACTS/objenesis-3.3.jar
api=$console:$mockito
command="java -cp main:tests:$api org.junit.platform.console.ConsoleLauncher --scan-classpath tests --disable-banner"
mkdir -p src/p test/p
cat >src/p/Service.java <<'JAVA'
package p;
public class Service {
  public int price(int n) { return 2 * n; }
  public int other() { return 1; }
}
JAVA
cat >src/p/Shop.java <<'JAVA'
package p;
public class Shop {
  private final Service service;
  public Shop(Service service) { this.service = service; }
  public int total(int n) { return service.price(n) + 1; }
}
JAVA
cat >test/p/ShopTest.java <<'JAVA'
package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
class ShopTest {
  private static void ran(String name) { System.out.println("RAN:" + name); }
  @Test void mocked() { ran("mocked"); Service s = Mockito.mock(Service.class); Mockito.when(s.price(3)).thenReturn(10); assertEquals(11, new Shop(s).total(3)); }
  @Test void spied() { ran("spied"); assertEquals(7, new Shop(Mockito.spy(new Service())).total(3)); }
  @Test void real() { ran("real"); assertEquals(5, new Shop(new Service()).total(2)); }
  @Test void alone() { ran("alone"); assertEquals(1, new Service().other()); }
}
JAVA
# The inline maker attaches an agent to its own JVM from a child process, which
# leaves no rows: the test that makes the first mock is in doubt.
for maker in subclass inline; do
  doubtful=
  [ $maker = subclass ] || doubtful=mocked
  rm -rf .rejig mockito-extensions
  compile
  mkdir -p tests/mockito-extensions
  echo "mock-maker-$maker" >tests/mockito-extensions/org.mockito.plugins.MockMaker
  expect "$maker: first run" 0 mocked spied real alone
  expect "$maker: no change" 0 $doubtful
  sed -i 's/+ 1/+ 2 - 1/' src/p/Shop.java
  compile
  mkdir -p tests/mockito-extensions
  echo "mock-maker-$maker" >tests/mockito-extensions/org.mockito.plugins.MockMaker
  # The test that made the first mock may have mocked for all.
  may_run=
  [ $maker = subclass ] || may_run='alone mocked real spied '
  expect "$maker: a body" 0 mocked spied real
  may_run=
  expect "$maker: and no change" 0 $doubtful
  sed -i 's/+ 2 - 1/+ 1/' src/p/Shop.java
done
done_with
