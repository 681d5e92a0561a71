// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;

import a.Premain;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class AgentsTest {
    @Test
    public void a() throws Exception {
        assertEquals(1, new Counter().next());
        Premain.touch(Counter.class);
    }

    @Test
    public void b() {
        assertEquals(0, new Counter().peek());
    }

    @Test
    public void c() throws Exception {
        Premain.restore(Counter.class, Files.readAllBytes(Paths.get("main/s/Counter.class")));
    }

    @Test
    public void d() {
        assertEquals(0, new Counter().peek());
    }
}
