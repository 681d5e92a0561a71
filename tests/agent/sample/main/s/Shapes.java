// SPDX-License-Identifier: Apache-2.0
package s;

import java.util.List;
import java.util.function.Function;

/** One of each kind of member that a recorder might disturb. */
public class Shapes<T extends Comparable<T>> implements java.io.Serializable {
    enum Kind {
        ONE {
            @Override
            int size() {
                return 1;
            }
        },
        TWO;

        int size() {
            return 2;
        }
    }

    interface Face {
        static int make() {
            return 1;
        }

        default int half() {
            return whole() / 2;
        }

        private int whole() {
            return 4;
        }
    }

    record Point(int x, @Deprecated List<String> names) {}

    class Inner implements Comparable<Inner> {
        @Override
        public int compareTo(Inner other) {
            return 0;
        }
    }

    static final Function<Integer, Integer> TWICE = n -> n * 2;
    transient volatile T value;

    public Shapes() {
        this(null);
    }

    Shapes(T value) {
        this.value = value;
    }

    static int fails(String s) {
        int n = 0;
        for (char c : s.toCharArray()) {
            switch (c) {
                case 'a':
                    n += 1;
                    break;
                case 'z':
                    throw new IllegalStateException("z");
                default:
                    n += TWICE.apply(n);
            }
        }
        return n;
    }
}
