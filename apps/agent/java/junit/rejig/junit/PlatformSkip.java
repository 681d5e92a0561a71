// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.lang.reflect.Field;
import java.util.List;

/** Gives a launcher before 1.7 the filter that later ones find by ServiceLoader; the agent calls it at discovery. */
public final class PlatformSkip {
    private PlatformSkip() {}

    public static void apply(Object request) throws ReflectiveOperationException {
        if (findsFilters(request.getClass().getClassLoader()) || !SkipList.applies()) {
            return;
        }
        Field field = request.getClass().getDeclaredField("postDiscoveryFilters");
        field.setAccessible(true);
        @SuppressWarnings("unchecked")
        List<Object> filters = (List<Object>) field.get(request);
        for (Object known : filters) {
            if (known instanceof PlatformFilter) {
                return;
            }
        }
        filters.add(new PlatformFilter());
    }

    private static boolean findsFilters(ClassLoader loader) {
        Marks.quiet(true);
        try {
            Class.forName("org.junit.platform.launcher.core.LauncherConfig", false, loader)
                    .getMethod("isPostDiscoveryFilterAutoRegistrationEnabled");
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        } finally {
            Marks.quiet(false);
        }
    }
}
