package n;

import org.testng.annotations.Test;

public class DepTest {
  @Test public void two() { Log.ran("n.DepTest#two()"); }

  /** Cannot be run alone. */
  @Test(dependsOnMethods = "two") public void dep() { Log.ran("n.DepTest#dep()"); }
}
