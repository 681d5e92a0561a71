// SPDX-License-Identifier: Apache-2.0
package m;

public class Main {
    static String greet() {
        Module module = Main.class.getModule();
        if (module.getDescriptor() == null || module.getPackages().isEmpty() || module.getAnnotations().length != 0) {
            throw new AssertionError();
        }
        return "named " + module.isNamed();
    }

    public static void main(String[] args) {
        System.out.println(greet());
    }
}
