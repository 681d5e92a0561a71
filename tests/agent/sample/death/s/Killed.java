// SPDX-License-Identifier: Apache-2.0
package s;

public class Killed {
    static void now() throws Exception {
        String pid = new java.io.File("/proc/self").getCanonicalFile().getName();
        new ProcessBuilder("kill", "-9", pid).start().waitFor();
        Thread.currentThread().join();
    }
}
