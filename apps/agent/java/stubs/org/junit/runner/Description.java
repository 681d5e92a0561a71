// SPDX-License-Identifier: Apache-2.0
package org.junit.runner;

import java.util.ArrayList;

public class Description {
    public native boolean isTest();

    public native String getDisplayName();

    public native ArrayList<Description> getChildren();
}
