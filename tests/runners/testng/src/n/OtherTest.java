package n;

import org.testng.annotations.Test;

public class OtherTest {
  @Test public void other() { Log.ran("n.OtherTest#other()"); }
}
