// SPDX-License-Identifier: Apache-2.0
package s;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;
import org.springframework.test.context.cache.DefaultContextCache;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class SharedTest {
    private static final DefaultContextCache CACHE = new DefaultContextCache();

    private static Object context() {
        Object known = CACHE.get("one");
        if (known == null) {
            known = new Context();
            CACHE.put("one", known);
        }
        return known;
    }

    @Test
    public void a_before() {}

    @Test
    public void b_makes() {
        context();
    }

    @Test
    public void c_uses() {
        context();
    }

    @Test
    public void d_neither() {}
}

class Context {}
