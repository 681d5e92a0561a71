// SPDX-License-Identifier: Apache-2.0
package s;

public class Counter {
    private int n;

    public int next() {
        return ++n;
    }

    public int peek() {
        return n;
    }
}
