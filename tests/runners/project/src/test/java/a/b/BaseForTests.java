package a.b;

import org.junit.jupiter.api.Test;

abstract class BaseForTests {
  @Test void inherited() { Log.ran(getClass().getName() + "#inherited()"); }
  @Test void unaffected() { Log.ran(getClass().getName() + "#unaffected()"); }
}
