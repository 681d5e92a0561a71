package a.b;

import org.junit.jupiter.api.Test;

class StaticTest {
  @Test void s() { Log.ran("a.b.StaticTest#s()"); }

  /** Starts to run on its own when Surefire's default exclude is lost. */
  static class LostTest {
    @Test void lost() { Log.ran("a.b.StaticTest$LostTest#lost()"); }
  }
}
