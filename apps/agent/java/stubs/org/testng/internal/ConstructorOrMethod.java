// SPDX-License-Identifier: Apache-2.0
package org.testng.internal;

import java.lang.reflect.Method;

public class ConstructorOrMethod {
    public native Method getMethod();
}
