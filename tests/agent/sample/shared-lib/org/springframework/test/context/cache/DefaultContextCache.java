// SPDX-License-Identifier: Apache-2.0
package org.springframework.test.context.cache;

import java.util.HashMap;
import java.util.Map;

/** As Spring's: keeps what a test made for those after it. */
public class DefaultContextCache {
    private final Map<String, Object> kept = new HashMap<>();

    public Object get(String key) {
        return kept.get(key);
    }

    public void put(String key, Object context) {
        kept.put(key, context);
    }
}
