// SPDX-License-Identifier: Apache-2.0
package org.testng;

public interface ITestResult {
    int SUCCESS = 1;

    int SKIP = 3;

    int getStatus();

    ITestNGMethod getMethod();

    IClass getTestClass();
}
