class Shape {
  double area() { return 0; }
  String name() { return "shape"; }
}
class Square extends Shape {
  final double side;
  Square(double side) { this.side = side; }
  @Override double area() { return side * side; }
}
class Report {
  static String of(Shape shape) { return shape.name() + " " + shape.area(); }
}
