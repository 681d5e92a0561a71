// SPDX-License-Identifier: Apache-2.0
package s;

/** What other threads do, and initializers with their help. */
final class Work {
    static int plain() { return 1; }
    static int pool() { return 2; }
    static int fork() { return 3; }
    static int timer() { return 4; }
    static int light() { return 5; }
    static int initial() { return 6; }
    static int failing() { return 7; }
    static int nested() { return 8; }

    static final class Initial implements Runnable {
        int got;
        @Override public void run() { got = initial(); }
    }

    static final class Starts {
        static final int VALUE;
        static {
            Initial work = new Initial();
            Thread thread = new Thread(work);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            VALUE = work.got + Inner.value();
        }
        static int value() { return VALUE; }
    }

    static final class Inner {
        static final int VALUE = nested();
        static int value() { return VALUE; }
    }

    static final class Broken {
        static final int VALUE;
        static {
            if (failing() == 7) throw new IllegalStateException("as planned");
            VALUE = 0;
        }
        static int value() { return VALUE; }
    }
}
