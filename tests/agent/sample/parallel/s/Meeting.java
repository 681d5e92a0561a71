// SPDX-License-Identifier: Apache-2.0
package s;

import java.util.concurrent.CyclicBarrier;

class Meeting {
    static final CyclicBarrier POINT = new CyclicBarrier(2);
}
