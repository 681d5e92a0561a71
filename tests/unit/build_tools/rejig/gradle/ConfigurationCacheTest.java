// SPDX-License-Identifier: Apache-2.0
package rejig.gradle;

import java.util.function.BiConsumer;

/** As the start parameters of Gradle's lines answer: 4.4, 6.6, 7.0, 8. */
public final class ConfigurationCacheTest {
    private ConfigurationCacheTest() {}

    public static final class Nothing { }

    public static final class Plain {
        private final boolean on;

        Plain(boolean on) {
            this.on = on;
        }

        public boolean isConfigurationCacheRequested() {
            return on;
        }
    }

    public static final class Value {
        private final Object value;

        Value(Object value) {
            this.value = value;
        }

        public Object get() {
            return value;
        }
    }

    public static final class Option {
        private final Object value;

        Option(Object value) {
            this.value = value;
        }

        public Value getConfigurationCache() {
            return new Value(value);
        }
    }

    public static final class Breaks {
        public boolean isConfigurationCache() {
            throw new IllegalStateException();
        }
    }

    public static void run(BiConsumer<String, Boolean> check) {
        check.accept("there is no such cache", !ConfigurationCache.isOn(new Nothing()));
        check.accept("it is off", !ConfigurationCache.isOn(new Plain(false)) && !ConfigurationCache.isOn(new Option(false)));
        check.accept("it is on", ConfigurationCache.isOn(new Plain(true)) && ConfigurationCache.isOn(new Option(true)));
        check.accept("what is not clear is on", ConfigurationCache.isOn(new Option("perhaps")) && ConfigurationCache.isOn(new Breaks()));
    }
}
