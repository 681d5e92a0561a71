// SPDX-License-Identifier: Apache-2.0
package org.testng;

public interface IInvokedMethodListener extends ITestNGListener {
    void beforeInvocation(IInvokedMethod method, ITestResult result);

    void afterInvocation(IInvokedMethod method, ITestResult result);
}
