// SPDX-License-Identifier: Apache-2.0
package s;

import junit.framework.TestCase;

/** JUnit lists its methods for every test; one test does so itself. */
public class OldTest extends TestCase {
    public void testNothing() {}

    public void testLists() throws Exception {
        assertNotNull(getClass().getMethod("testNothing"));
    }
}
