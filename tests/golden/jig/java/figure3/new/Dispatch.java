// SPDX-License-Identifier: Apache-2.0
// The class between overrides the method, too.
class Square extends Shape {
  @Override public double area() {
    return 1;
  }
}

class Cube extends Square {
  @Override public double area() {
    return 6;
  }
}

class Dispatch {
  static double sum(Shape s) {
    return Shape.count() + s.area();
  }

  static Shape make() {
    return new Cube();
  }
}
