// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestNGMethod;

/** Drops the tests of the skip list from a TestNG run, but none that another test depends on. */
public final class TestNGSkip implements IMethodInterceptor {
    private static volatile boolean dropped;

    /** TestNG's own main class fails when no test ran, by what this listener of its saw. */
    public static void apply(Object exitCodeListener) throws ReflectiveOperationException {
        if (dropped) {
            Field hasTests = exitCodeListener.getClass().getDeclaredField("hasTests");
            hasTests.setAccessible(true);
            hasTests.setBoolean(exitCodeListener, true);
        }
    }

    @Override
    public List<IMethodInstance> intercept(List<IMethodInstance> methods, ITestContext context) {
        if (!SkipList.applies()) {
            return methods;
        }
        Set<String> needed = new HashSet<>();
        for (IMethodInstance m : methods) {
            if (m.getMethod().getGroupsDependedUpon().length > 0) {
                return methods;
            }
            for (String name : m.getMethod().getMethodsDependedUpon()) {
                needed.add(name);
            }
        }
        List<IMethodInstance> kept = new ArrayList<>();
        for (IMethodInstance m : methods) {
            ITestNGMethod method = m.getMethod();
            java.lang.reflect.Method java = method.getConstructorOrMethod().getMethod();
            boolean isNeeded = needed.contains(java.getName())
                    || needed.contains(java.getDeclaringClass().getName() + "." + java.getName())
                    || needed.contains(method.getRealClass().getName() + "." + java.getName());
            if (isNeeded || !SkipList.contains(TestId.of(method.getRealClass(), java))) {
                kept.add(m);
            }
        }
        dropped |= kept.size() < methods.size();
        return kept;
    }
}
