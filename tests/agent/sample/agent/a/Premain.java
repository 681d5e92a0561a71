// SPDX-License-Identifier: Apache-2.0
package a;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.ProtectionDomain;

/** Somebody else's agent: it reads its settings before the program, and changes loaded classes as Byte Buddy does. */
public final class Premain {
    private static Instrumentation instrumentation;

    private Premain() {}

    public static void premain(String options, Instrumentation given) throws IOException {
        instrumentation = given;
        if (!Files.readString(Paths.get("agent.conf")).startsWith("on") || new File("agents").list().length != 1
                || ClassLoader.getSystemResource("data/there.txt") == null) {
            throw new IOException("other settings");
        }
    }

    /** The class has its own bytes again, as the file has them. */
    public static void restore(Class<?> type, byte[] bytes) throws Exception {
        ClassFileTransformer transformer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> changed, ProtectionDomain domain, byte[] now) {
                return changed == type ? bytes : null;
            }
        };
        instrumentation.addTransformer(transformer, true);
        instrumentation.retransformClasses(type);
        instrumentation.removeTransformer(transformer);
    }

    /** It only passes by. */
    public static void touch(Class<?> type) throws Exception {
        instrumentation.retransformClasses(type);
    }
}
