abstract class Shape { abstract double area(); }
class Circle extends Shape { double area() { return 1; } }
class Square extends Shape { double area() { return 2; } }
class Main {
    static void look(Object o) {}
    static double declared(Shape shape) {
        look(shape);  // holds: Shape
        return shape.area();  // calls: Shape.area, Circle.area, Square.area
    }
    static double made() {
        Shape shape = new Circle();  // calls: Circle.Circle
        look(shape);  // holds: Circle
        return shape.area();  // calls: Circle.area
    }
    static double either(boolean b) {
        Shape shape = b ? new Circle() : new Square();  // calls: Circle.Circle, Square.Square
        look(shape);  // holds: Circle, Square
        return shape.area();  // calls: Circle.area, Square.area
    }
}
