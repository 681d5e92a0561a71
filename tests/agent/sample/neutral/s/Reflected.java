// SPDX-License-Identifier: Apache-2.0
package s;

import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Prints all that reflection tells about the given classes, and a stack trace. */
public class Reflected {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class<?> c = Class.forName(name);
            System.out.println(c.toGenericString() + " " + Arrays.toString(c.getAnnotations()));
            List<String> lines = new ArrayList<>();
            for (Field f : c.getDeclaredFields()) {
                lines.add(f.toGenericString() + " " + Arrays.toString(f.getAnnotations()));
            }
            for (Method m : c.getDeclaredMethods()) {
                lines.add(m.toGenericString() + " " + m.getModifiers() + parameters(m));
            }
            for (Constructor<?> m : c.getDeclaredConstructors()) {
                lines.add(m.toGenericString() + " " + m.getModifiers() + parameters(m));
            }
            for (Class<?> inner : c.getDeclaredClasses()) {
                lines.add(inner.toGenericString());
            }
            Collections.sort(lines);
            lines.forEach(System.out::println);
            if (Serializable.class.isAssignableFrom(c)) {
                System.out.println("serialVersionUID " + ObjectStreamClass.lookup(c).getSerialVersionUID());
            }
        }
        try {
            Shapes.fails("abz");
        } catch (IllegalStateException e) {
            e.printStackTrace(System.out);
        }
        System.out.println(Shapes.TWICE.apply(4) + " " + Arrays.toString(Shapes.Kind.values()) + " "
                + new Shapes.Point(1, null) + " " + System.getProperty("java.class.path"));
    }

    private static String parameters(Executable m) {
        return Arrays.toString(m.getParameters()) + Arrays.toString(m.getAnnotations());
    }
}
