// SPDX-License-Identifier: Apache-2.0
package s;

import org.junit.AfterClass;
import org.junit.Test;

public class KilledAfterTest {
    @AfterClass
    public static void close() throws Exception {
        Killed.now();
    }

    @Test
    public void one() {
        new Counter().next();
    }

    @Test
    public void two() {
        new Counter().peek();
    }
}
