package x.a.b;

import a.b.Log;
import org.junit.jupiter.api.Test;

/** A plain pattern for a.b.BarTest would match this one too. */
class BarTest {
  @Test void x() { Log.ran("x.a.b.BarTest#x()"); }
}
