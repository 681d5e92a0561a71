// SPDX-License-Identifier: Apache-2.0
package s;

import junit.framework.TestCase;

/** JUnit asks for the name just where it looks for the method. */
public class NamedTest extends TestCase {
    public void testNothing() {}

    @Override
    public String getName() {
        assertTrue(getClass().getMethods().length > 0);
        return super.getName();
    }
}
