// SPDX-License-Identifier: Apache-2.0
package m;

public class Main {
    static String greet() {
        return "named " + Main.class.getModule().isNamed();
    }

    public static void main(String[] args) {
        System.out.println(greet());
    }
}
