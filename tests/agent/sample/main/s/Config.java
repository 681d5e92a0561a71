// SPDX-License-Identifier: Apache-2.0
package s;

public class Config {
    public static final Counter SHARED = make();
    public static int mode = 3;

    private static Counter make() {
        return new Loud();
    }

    public static class Loud extends Counter {
        @Override
        public int next() {
            return super.next() + 100;
        }
    }
}
