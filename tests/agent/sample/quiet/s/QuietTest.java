// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;

import org.junit.BeforeClass;
import org.junit.Test;

public class QuietTest {
    @BeforeClass
    public static void open() {
        System.out.println("fixture");
    }

    @Test
    public void one() {
        assertEquals(1, new Counter().next());
    }

    @Test
    public void two() {
        assertEquals(0, new Counter().peek());
    }
}
