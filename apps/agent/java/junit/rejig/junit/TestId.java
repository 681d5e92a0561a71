// SPDX-License-Identifier: Apache-2.0
package rejig.junit;

import java.lang.reflect.Method;

/**
 * What is this test called in the matrix? `a.b.FooTest#name(erased,param,types)` of the class that runs; a thing
 * without a method has the id of its class and `#*`.
 */
final class TestId {
    private TestId() {}

    static String of(Class<?> testClass, Method method) {
        StringBuilder out = new StringBuilder(testClass.getName() + "#" + method.getName() + "(");
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            out.append(i == 0 ? "" : ",").append(type(types[i].getName()));
        }
        return out.append(')').toString();
    }

    static String types(String listed) {
        if (listed == null || listed.trim().isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        for (String type : listed.split(",")) {
            if (out.length() > 0) {
                out.append(',');
            }
            out.append(type(type.trim()));
        }
        return out.toString();
    }

    /** `[[I`, as Class.getName says it, is `int[][]` here. */
    static String type(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return name;
        }
        String element = name.substring(dimensions);
        StringBuilder out = new StringBuilder(
                element.startsWith("L") && element.endsWith(";")
                        ? element.substring(1, element.length() - 1)
                        : primitive(element));
        for (int i = 0; i < dimensions; i++) {
            out.append("[]");
        }
        return out.toString();
    }

    private static String primitive(String letter) {
        switch (letter) {
            case "Z":
                return "boolean";
            case "B":
                return "byte";
            case "C":
                return "char";
            case "S":
                return "short";
            case "I":
                return "int";
            case "J":
                return "long";
            case "F":
                return "float";
            case "D":
                return "double";
            default:
                return letter;
        }
    }

    /** The same reading of `method(class)` as the agent's junit_test_id. */
    static String ofShown(String shown, String fallbackClass) {
        String testClass = fallbackClass.isEmpty() ? shown : fallbackClass;
        String method = "";
        int open = shown.lastIndexOf('(');
        if (open >= 0 && shown.endsWith(")")) {
            testClass = shown.substring(open + 1, shown.length() - 1);
            method = shown.substring(0, open);
            int bracket = method.indexOf('[');
            if (bracket >= 0) {
                method = method.substring(0, bracket);
            }
        }
        for (int i = 0; i < method.length(); i++) {
            if (".;/<>()\n".indexOf(method.charAt(i)) >= 0) {
                return testClass + "#*";
            }
        }
        return method.isEmpty() ? testClass + "#*" : testClass + "#" + method + "()";
    }
}
