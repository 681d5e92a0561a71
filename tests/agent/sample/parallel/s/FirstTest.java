// SPDX-License-Identifier: Apache-2.0
package s;

import org.junit.jupiter.api.Test;

class FirstTest {
    @Test
    void meets() throws Exception {
        Meeting.POINT.await();
        new Counter().next();
        Meeting.POINT.await();
    }
}
