// SPDX-License-Identifier: Apache-2.0
// Figure 3: an external class with a static and a virtual method.
public class Shape {
  public static int count() {
    return 3;
  }

  public double area() {
    return 0;
  }
}
