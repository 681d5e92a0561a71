// SPDX-License-Identifier: Apache-2.0
package s;

import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class KilledTest {
    @BeforeClass
    public static void open() {
        Fixtures.open();
    }

    @Test
    public void a1() {
        new Counter().next();
    }

    @Test
    public void a2() {
        new Counter().peek();
    }

    @Test
    public void b_killed() throws Exception {
        new Counter().next();
        Killed.now();
    }

    @Test
    public void c() {}
}
