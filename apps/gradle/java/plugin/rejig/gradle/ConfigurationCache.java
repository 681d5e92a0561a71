// SPDX-License-Identifier: Apache-2.0
package rejig.gradle;

import java.lang.reflect.Method;

/**
 * Does Gradle keep the configured build and start it from there? Then there is nobody at whose end a session could end.
 * Each line of releases has another name for the question; what cannot be asked is taken for on, and before 6.6 there is
 * nothing to ask.
 */
final class ConfigurationCache {
    private static final String[] NAMES = {"isConfigurationCacheRequested", "getConfigurationCache", "isConfigurationCache"};

    private ConfigurationCache() {}

    static boolean isOn(Object startParameter) {
        for (String name : NAMES) {
            Method ask;
            try {
                ask = startParameter.getClass().getMethod(name);
            } catch (NoSuchMethodException e) {
                continue;
            }
            try {
                Object said = ask.invoke(startParameter);
                if (said != null && !(said instanceof Boolean)) {
                    Method get = said.getClass().getMethod("get"); // an option with where it comes from
                    get.setAccessible(true);
                    said = get.invoke(said);
                }
                return !Boolean.FALSE.equals(said);
            } catch (ReflectiveOperationException | RuntimeException e) {
                return true;
            }
        }
        return false;
    }
}
