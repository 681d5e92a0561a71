#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# RTSCheck's bugs of instrumentation, with the real recorder: every test ends as it does without it, and has a row.
#   Clover-6   instrumentation changes what the program sees of itself (Fig. 2e)
#   Clover-11  code is inserted that does not fit
#   Ekstazi-4  JUnit 4 annotations are triggered below JUnit 3
#   Ekstazi-5  annotations that inject
# Environment: REJIG REJIG_AGENT REJIG_JUNIT_JAR REJIG_ARTIFACTS_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../../support/fetch_artifacts" junit "$REJIG_ARTIFACTS_DIR/junit"
runner=$REJIG_ARTIFACTS_DIR/junit/junit-4.13.2.jar:$REJIG_ARTIFACTS_DIR/junit/hamcrest-core-1.3.jar
cd "$work"
mkdir src
cat > src/B.java <<'JAVA'
public class B {
  public Object a;
  static final int K = 1;
  public void m() { }
}
JAVA
cat > src/Odd.java <<'JAVA'
import java.util.function.*;

abstract class Base<T> {
  final int made;
  Base(int x) { made = x + hook(null); }
  abstract int hook(T t);
}

final class Odd extends Base<String> {
  static int order;
  static final int FIRST = order++;
  final int late = order++;
  Odd(int x) { super(x > 0 ? x : help(x)); }
  static int help(int x) { try { return x / 0; } catch (ArithmeticException e) { return 5; } finally { order++; } }
  int hook(String s) { return late; }
  static synchronized int loop(int n) { int s = 0; outer: for (;;) { do { if (s > n) break outer; s++; } while (true); } return s; }
  static int table(int x) { switch (x) { case 0: return 10; case 1: return 11; case 2: return 12; case 1000000: return 13; default: return -1; } }
  static int words(String x) { return switch (x) { case "a" -> 1; case "b" -> { int y = 2; yield y; } default -> 0; }; }
  interface Shape { private int one() { return 1; } default int two() { return one() + 1; } static int three() { return 3; } }
  record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException(); } }
  enum E { A { int v() { return 1; } }, B; int v() { return 2; } }
  sealed interface S permits P, Q { }
  record P() implements S { }
  record Q() implements S { }
  static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
  static long wide(long a, double b, int... c) { return a + (long) b + c.length; }
  static Supplier<IntSupplier> nested(int x) { return () -> () -> x + new Object() { int q() { return x; } }.q(); }
}
JAVA
cat > src/T.java <<'JAVA'
import static org.junit.Assert.*;
import java.lang.reflect.*;
import org.junit.Test;

public class T {
  @Test public void members() {
    assertEquals(0, B.class.getDeclaredClasses().length);
    assertEquals(2, B.class.getDeclaredFields().length);
    assertEquals(1, B.class.getDeclaredMethods().length);
    assertEquals(0, B.class.getInterfaces().length);
    assertEquals(Modifier.PUBLIC, B.class.getModifiers());
  }
  @Test public void serial() { assertEquals(EXPECTED, java.io.ObjectStreamClass.lookupAny(T.class).getSerialVersionUID()); }
  static final long EXPECTED = java.io.ObjectStreamClass.lookupAny(T.class).getSerialVersionUID();
  @Test public void stack() {
    StackTraceElement[] s = new Throwable().getStackTrace();
    assertEquals("stack", s[0].getMethodName());
    assertEquals(16, s[0].getLineNumber());
    assertFalse(s[1].getClassName().startsWith("T"));
  }
  @Test public void order() { Odd o = new Odd(0); assertEquals(5, o.made); assertEquals(2, o.late); assertEquals(3, Odd.order); }
  @Test public void control() { assertEquals(8, Odd.loop(7)); assertEquals(12, Odd.table(2)); assertEquals(13, Odd.table(1000000)); assertEquals(2, Odd.words("b")); }
  @Test public void shapes() {
    assertEquals(5, new Odd.Shape() { }.two() + Odd.Shape.three());
    assertEquals(3, Odd.E.A.v() + Odd.E.B.v());
    assertEquals("Point[x=1, y=2]", new Odd.Point(1, 2).toString());
    assertEquals(2, Odd.S.class.getPermittedSubclasses().length);
  }
  @Test public void calls() { assertEquals(500, Odd.deep(500)); assertEquals(6, Odd.wide(1, 2.5, 1, 2, 3)); assertEquals(4, Odd.nested(2).get().getAsInt()); }
}
JAVA
# Below JUnit 3 nobody calls what JUnit 4 would; the injector takes the one constructor and the fields that are annotated.
cat > src/Old.java <<'JAVA'
import junit.framework.TestCase;
import org.junit.*;

public class Old extends TestCase {
  static int calls;
  @Before public void wouldRunInJUnit4() { calls++; }
  @Test public void wouldBeATestInJUnit4() { calls++; }
  @After public void wouldRunToo() { calls++; }
  public void testCalls() { assertEquals(0, calls); }
  public void testInjected() throws Exception {
    Part p = Injector.make(Part.class);
    assertEquals("given", p.name);
    assertNotNull(p.other);
    assertNull(p.mine);
  }
}
JAVA
cat > src/Injector.java <<'JAVA'
import java.lang.annotation.*;
import java.lang.reflect.*;

@Retention(RetentionPolicy.RUNTIME) @interface Inject { }

class Other { }

class Part {
  final String name;
  @Inject Other other;
  Other mine;
  Part() { name = "none"; }
  @Inject Part(String name) { this.name = name; }
}

final class Injector {
  static <T> T make(Class<T> c) throws Exception {
    Constructor<?> one = null;
    for (Constructor<?> k : c.getDeclaredConstructors()) {
      if (!k.isAnnotationPresent(Inject.class)) continue;
      if (one != null) throw new IllegalStateException("two constructors");
      one = k;
    }
    Object[] arguments = new Object[one.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) arguments[i] = "given";
    Object made = one.newInstance(arguments);
    for (Field f : c.getDeclaredFields()) if (f.isAnnotationPresent(Inject.class)) f.set(made, f.getType().getDeclaredConstructor().newInstance());
    if (c.getDeclaredFields().length != 3) throw new IllegalStateException("fields");
    return c.cast(made);
  }
}
JAVA
javac --release 17 -cp "$runner" -d classes src/*.java
ends() { sed -n 's/^\(OK (.*\|[0-9]*) .*\|Tests run.*\)$/\1/p' "$1"; }
java -cp "classes:$runner" org.junit.runner.JUnitCore T > plain || { cat plain; exit 1; }
"$REJIG" -q record --store rows.db -- java -cp "classes:$runner" org.junit.runner.JUnitCore T > recorded || { cat recorded; exit 1; }
ends plain > a
ends recorded > b
[ -s a ] && cmp a b || { cat recorded; exit 1; }
"$REJIG" -q coverage export --store rows.db --format ndjson -o rows
[ "$(grep -c '"test":"T#.*"grade":"complete","result":"pass"' rows)" = 7 ] || { echo "not every test has a row"; cut -c1-200 rows; exit 1; }

java -cp "classes:$runner" junit.textui.TestRunner Old > plain || { cat plain; exit 1; }
"$REJIG" -q record --store old.db -- java -cp "classes:$runner" junit.textui.TestRunner Old > recorded || { cat recorded; exit 1; }
ends plain > a
ends recorded > b
grep -q '^OK (2 tests)' a && cmp a b || { cat recorded; exit 1; }
"$REJIG" -q coverage export --store old.db --format ndjson -o rows
[ "$(grep -c '"test":"Old#test.*"grade":"complete","result":"pass"' rows)" = 2 ] || { echo "not every test of Old has a row"; cut -c1-200 rows; exit 1; }
