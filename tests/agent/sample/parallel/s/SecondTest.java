// SPDX-License-Identifier: Apache-2.0
package s;

import org.junit.jupiter.api.Test;

class SecondTest {
    @Test
    void meets() throws Exception {
        Meeting.POINT.await();
        new Counter().peek();
        Meeting.POINT.await();
    }
}
