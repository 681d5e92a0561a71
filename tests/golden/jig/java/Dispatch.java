// SPDX-License-Identifier: Apache-2.0
// A call whose receiver decides, and one that does not; internal classes that
// external code can enter (the structure of the paper's figures 3 and 5).
class Shape {
  static int count() {
    return 3;
  }

  double area() {
    return 0;
  }
}

class Square extends Shape {
  public String toString() {
    return "square";
  }
}

class Cube extends Square implements Runnable {
  double area() {
    return 6;
  }

  public void run() {}
}

class Dispatch {
  static double sum(Shape s) {
    return Shape.count() + s.area();
  }

  static Shape make() {
    return new Cube();
  }
}
