// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ChildTest {
    @Test
    public void stays() {
        assertEquals(1, new Counter().next());
    }

    @Test
    public void spawns() throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        assertEquals(0, new ProcessBuilder(java, "-cp", "main:t", "s.ChildMain").start().waitFor());
    }
}
