// SPDX-License-Identifier: Apache-2.0
// A class below that overrides nothing, one below it that does, and two calls.
class Square extends Shape {}

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
