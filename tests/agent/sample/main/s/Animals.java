// SPDX-License-Identifier: Apache-2.0
package s;

/** Methods that are called on several classes. */
public class Animals {
    public interface Face {
        int whole();

        default int half() {
            return whole() / 2;
        }
    }

    public static class Base {
        public int who() {
            return 4;
        }
    }

    public static class Derived extends Base implements Face {
        @Override
        public int whole() {
            return 4;
        }
    }

    public static final class Leaf {
        public int leaf() {
            return 4;
        }
    }

    public static class Loud {
        static final int VALUE = new Derived().who();
    }
}
