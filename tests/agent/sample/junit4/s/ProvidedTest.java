// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertNotNull;

import java.util.Collections;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Its parameters are asked for before any test runs, and leave something for others. */
@RunWith(Parameterized.class)
public class ProvidedTest {
    private final Object provided;

    public ProvidedTest(Object provided) {
        this.provided = provided;
    }

    @Parameters
    public static Iterable<Object[]> data() {
        return Collections.singletonList(new Object[] {Cached.Lazy.get()});
    }

    @Test
    public void has() {
        assertNotNull(provided);
    }
}
