// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Stands in for the agent's marks class where no agent runs. */
public final class $Rejig {
    public static final short[] MARKS = new short[1 << 17];

    public static void initializes(int id) {}

    public static void initialized(int id) {}
}
