// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ISuite;
import org.testng.ISuiteListener;
import org.testng.ITestResult;

/**
 * Tells the recorder where TestNG's tests begin and end. A configuration method is a container of its class's name,
 * which every test of that class joins; what runs between methods belongs to the suite.
 */
public final class TestNGListener implements ISuiteListener, IInvokedMethodListener {
    private static final int CONTAINER = 1;
    private static final int TEST = 2;
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int SKIPPED = 2;

    private final Map<ISuite, Integer> suites = new ConcurrentHashMap<>();
    private final Map<ITestResult, Integer> scopes = new ConcurrentHashMap<>();
    private volatile boolean active;
    private volatile int suite;

    @Override
    public void onStart(ISuite started) {
        // Inside a test, or under another engine that reports already, there is nothing to say.
        if (!Marks.present() || Marks.insideTest() || Marks.reported()) {
            return;
        }
        active = true;
        Marks.reporting(true);
        suite = Marks.begin(CONTAINER, 0, "[testng:" + started.getName() + "]");
        suites.put(started, suite);
    }

    @Override
    public void onFinish(ISuite finished) {
        Integer scope = suites.remove(finished);
        if (scope != null) {
            Marks.end(scope, PASSED);
            Marks.reporting(false);
            active = false;
        }
    }

    @Override
    public void beforeInvocation(IInvokedMethod method, ITestResult result) {
        if (!active) {
            return;
        }
        Class<?> c = result.getTestClass().getRealClass();
        Method m = result.getMethod().getConstructorOrMethod().getMethod();
        boolean test = method.isTestMethod();
        scopes.put(result, Marks.begin(test ? TEST : CONTAINER, suite, test ? TestId.of(c, m) : c.getName()));
    }

    @Override
    public void afterInvocation(IInvokedMethod method, ITestResult result) {
        Integer scope = scopes.remove(result);
        if (scope != null) {
            int status = result.getStatus();
            Marks.end(scope, status == ITestResult.SUCCESS ? PASSED : status == ITestResult.SKIP ? SKIPPED : FAILED);
        }
    }
}
