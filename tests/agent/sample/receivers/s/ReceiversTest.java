// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ReceiversTest {
    @Test
    public void base() {
        for (int i = 0; i < 20_000; i++) {
            assertEquals(4, new Animals.Base().who());
        }
    }

    @Test
    public void derived() {
        assertEquals(4, new Animals.Derived().who());
    }

    @Test
    public void both() {
        for (int i = 0; i < 20_000; i++) {
            assertEquals(4, (i % 2 == 0 ? new Animals.Base() : new Animals.Derived()).who());
        }
    }

    @Test
    public void lambda() {
        Animals.Face four = () -> 4;
        assertEquals(2, four.half());
    }

    @Test
    public void defaultMethod() {
        assertEquals(2, new Animals.Derived().half());
    }

    @Test
    public void finalClass() {
        assertEquals(4, new Animals.Leaf().leaf());
    }

    @Test
    public void initializer() {
        assertEquals(4, Animals.Loud.VALUE);
    }

    @Test
    public void initializerAgain() {
        assertEquals(4, Animals.Loud.VALUE);
    }

    @Test
    public void plain() {
        assertEquals(3, 1 + 2);
    }
}
