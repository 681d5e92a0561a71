// SPDX-License-Identifier: Apache-2.0
package s;

/** The first that the recorder meets of a program is an initializer. */
public class First {
    static final String SAID = System.getProperty("user.dir").isEmpty() ? "nowhere" : "somewhere";

    public static void main(String[] none) {
        System.out.println(SAID);
    }
}
