// SPDX-License-Identifier: Apache-2.0
package s;

import java.io.Serializable;

public class Thing implements Serializable, Cloneable {
    private static final long serialVersionUID = 1;

    public static int count;

    public int value = 1;

    public Thing copy() throws CloneNotSupportedException {
        return (Thing) clone();
    }

    /** Made by deserialization alone. */
    public static class Stored extends Thing {
        private static final long serialVersionUID = 1;
    }

    /** Made by reflection alone. */
    public static class Reflected extends Thing {
        private static final long serialVersionUID = 1;
    }

    /** Made by a constructor handle alone. */
    public static class Handled extends Thing {
        private static final long serialVersionUID = 1;
    }

    /** Made by Unsafe alone. */
    public static class Unborn extends Thing {
        private static final long serialVersionUID = 1;
    }

    /** Never made, only a superclass of nothing. */
    public static class Unused extends Thing {
        private static final long serialVersionUID = 1;
    }
}
