// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformTest {
    @BeforeAll
    static void open() {
        Fixtures.open();
    }

    @AfterAll
    static void close() {
        Fixtures.close();
    }

    @Test
    void one() {
        assertEquals(1, new Counter().next());
    }

    @Test
    void over(TestInfo info) {
        assertEquals(0, new Counter().peek());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void par(int i) {
        assertTrue(new Counter().next() <= i);
    }

    @RepeatedTest(2)
    void rep() {
        assertEquals(3, Config.mode);
    }

    @TestFactory
    Stream<DynamicTest> dyn() {
        return Stream.of(DynamicTest.dynamicTest("d", () -> new Counter().peek()));
    }

    @Disabled
    @Test
    void off() {}

    @Nested
    class In {
        @BeforeAll
        static void reset() {
            Fixtures.reset();
        }

        @Test
        void deep(TestInfo info) {
            assertEquals(3, Config.mode);
        }
    }
}
