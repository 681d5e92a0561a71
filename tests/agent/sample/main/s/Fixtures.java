// SPDX-License-Identifier: Apache-2.0
package s;

public class Fixtures {
    public static void open() {}

    public static void close() {}

    public static void reset() {}
}
