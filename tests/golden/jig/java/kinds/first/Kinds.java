// SPDX-License-Identifier: Apache-2.0
// Every kind of node and edge at least once.
package kinds;

import java.io.Serializable;
import java.util.function.IntSupplier;
import org.junit.Before;
import org.junit.Test;

class Base {
  static int made = Integer.parseInt("1");
  int size;

  int gone() {
    return 1;
  }
}

class Below extends Base implements Serializable {
  private Object readResolve() {
    return this;
  }

  @Override public String toString() {
    return "below";
  }
}

class Missing {
  static int there;
}

public class Kinds {
  int run(Object o, int n) {
    try {
      IntSupplier later = () -> n;
      Base base = o instanceof Base ? (Base) o : new Base();
      base.size = later.getAsInt() + Base.made;
      switch (n) {
        case 1:
          return base.gone();
        default:
          return n > 0 ? o.hashCode() : Missing.there;
      }
    } catch (IllegalStateException e) {
      return new Base[n].length;
    }
  }

  @Before public void before() {}

  @Test public void test() {
    run(new Below(), 1);
  }

  public static void main(String[] args) {
    new Kinds().test();
  }
}
