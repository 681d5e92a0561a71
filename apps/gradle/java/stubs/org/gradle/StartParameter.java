// SPDX-License-Identifier: Apache-2.0
package org.gradle;

import java.util.Map;

public class StartParameter {
    public boolean isOffline() {
        return false;
    }

    public Map<String, String> getProjectProperties() {
        return null;
    }
}
