// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertNotNull;

import org.junit.Test;

public class UsesLazyTest {
    @Test
    public void uses() {
        assertNotNull(Cached.Lazy.get());
    }
}
