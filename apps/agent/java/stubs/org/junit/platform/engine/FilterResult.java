// SPDX-License-Identifier: Apache-2.0
package org.junit.platform.engine;

public class FilterResult {
    public static native FilterResult included(String reason);

    public static native FilterResult excluded(String reason);
}
