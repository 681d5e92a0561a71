// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.AfterClass;
import org.junit.Assume;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class CounterTest {
    private Counter counter;

    @BeforeClass
    public static void all() {
        Fixtures.open();
    }

    @AfterClass
    public static void done() {
        Fixtures.close();
    }

    @Before
    public void setUp() {
        counter = new Counter();
    }

    @After
    public void tearDown() {
        Fixtures.reset();
    }

    @Test
    public void next() {
        assertEquals(1, counter.next());
    }

    @Test
    public void peek() {
        assertEquals(0, counter.peek());
    }

    @Test
    public void first() {
        assertEquals(3, Config.mode);
    }

    @Test
    public void second() {
        assertEquals(3, Config.mode);
    }

    @Test
    public void fails() {
        assertEquals(7, counter.next());
    }

    @Test
    public void aborts() {
        Assume.assumeTrue(false);
    }

    @Test
    public void worksElsewhere() throws Exception {
        Thread t = new Thread(() -> counter.next());
        t.start();
        t.join();
    }
}
