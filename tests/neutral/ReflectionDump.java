// SPDX-License-Identifier: Apache-2.0

import java.io.ObjectStreamClass;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;

/** Prints all that reflection tells about every class of the given archives, in a fixed order. */
public class ReflectionDump {
    public static void main(String[] archives) throws Exception {
        List<String> names = new ArrayList<>();
        for (String archive : archives) {
            try (JarFile jar = new JarFile(archive)) {
                jar.stream().map(e -> e.getName()).filter(n -> n.endsWith(".class") && !n.contains("-"))
                        .forEach(n -> names.add(n.substring(0, n.length() - 6).replace('/', '.')));
            }
        }
        Collections.sort(names);
        for (String name : names) {
            try {
                dump(Class.forName(name, false, ReflectionDump.class.getClassLoader()));
            } catch (Throwable t) {
                System.out.println(name + " " + t);
            }
        }
        System.out.println(names.size() + " classes");
    }

    private static void dump(Class<?> c) {
        List<String> lines = new ArrayList<>();
        for (Field f : c.getDeclaredFields()) {
            lines.add("  " + f.toGenericString() + " " + Arrays.toString(f.getAnnotations()));
        }
        for (Method m : c.getDeclaredMethods()) {
            lines.add("  " + m.toGenericString() + parts(m));
        }
        for (Constructor<?> k : c.getDeclaredConstructors()) {
            lines.add("  " + k.toGenericString() + parts(k));
        }
        for (Class<?> inner : c.getDeclaredClasses()) {
            lines.add("  " + inner.toGenericString());
        }
        Collections.sort(lines);
        System.out.println(c.toGenericString() + " " + c.getModifiers() + " " + c.getGenericSuperclass() + " "
                + Arrays.toString(c.getGenericInterfaces()) + " " + Arrays.toString(c.getAnnotations()) + " "
                + c.getEnclosingMethod() + " " + c.getNestHost());
        lines.forEach(System.out::println);
        ObjectStreamClass stream = ObjectStreamClass.lookup(c);
        if (stream != null) {
            System.out.println("  serialVersionUID " + stream.getSerialVersionUID() + " " + Arrays.toString(stream.getFields()));
        }
    }

    private static String parts(Executable e) {
        return " " + e.getModifiers() + Arrays.toString(e.getParameters()) + Arrays.toString(e.getAnnotations());
    }
}
