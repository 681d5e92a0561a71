// SPDX-License-Identifier: Apache-2.0
package s;

/** What the JDK looks at once and keeps. */
public class Cached {
    public enum Color {
        RED,
        GREEN
    }

    public interface Face {
        int f();
    }

    public static class Bean {
        public int getSize() {
            return 1;
        }
    }

    public static class Base {
        public void inherited() {}
    }

    public static class Derived extends Base {}

    public static class Holder {
        public Held held;
    }

    public static final class Held {}

    public static final class Lazy {
        private static Lazy one;

        private Lazy() {}

        public static Lazy get() {
            if (one == null) {
                one = new Lazy();
            }
            return one;
        }
    }

    public interface Called {
        int LATE = Integer.parseInt("1");

        int call();
    }

    static class Quiet {
        static int initialized = count();

        static int count() {
            return 1;
        }
    }
}
