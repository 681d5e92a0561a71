// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.util.Optional;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** What a node of the JUnit Platform stands for, apart from {@link TestId} so that other runners need no Platform. */
final class Sources {
    private Sources() {}

    static Optional<String> testId(Optional<TestSource> source) {
        if (!source.isPresent() || !(source.get() instanceof MethodSource)) {
            return Optional.empty();
        }
        MethodSource m = (MethodSource) source.get();
        String types = TestId.types(m.getMethodParameterTypes());
        return Optional.of(m.getClassName() + "#" + m.getMethodName() + "(" + types + ")");
    }

    static Optional<String> className(Optional<TestSource> source) {
        return source.isPresent() && source.get() instanceof ClassSource
                ? Optional.of(((ClassSource) source.get()).getClassName())
                : Optional.empty();
    }
}
