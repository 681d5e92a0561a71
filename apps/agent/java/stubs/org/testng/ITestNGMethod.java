// SPDX-License-Identifier: Apache-2.0
package org.testng;

import org.testng.internal.ConstructorOrMethod;

public interface ITestNGMethod {
    ConstructorOrMethod getConstructorOrMethod();

    Class<?> getRealClass();

    String[] getMethodsDependedUpon();

    String[] getGroupsDependedUpon();
}
