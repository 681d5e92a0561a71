package a.b;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BarTest {
  @Test void x() { Log.ran("a.b.BarTest#x()"); }

  @Nested class In {
    @Test void y() { Log.ran("a.b.BarTest$In#y()"); }
  }
}
