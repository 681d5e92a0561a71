package a.b;

import org.junit.Test;

public class OldTest {
  @Test public void legacy() { Log.ran("a.b.OldTest#legacy()"); }
  @Test public void legacy2() { Log.ran("a.b.OldTest#legacy2()"); }
}
