// SPDX-License-Identifier: Apache-2.0
package s;

public class ChildMain {
    public static void main(String[] args) {
        new Counter().peek();
    }
}
