// SPDX-License-Identifier: Apache-2.0
package java.lang;

/** Stands in for the agent's marks class where no agent runs. */
public final class $Rejig {
    public static void hit(int id) {}
}
