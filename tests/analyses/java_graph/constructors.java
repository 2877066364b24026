class Point {
    Point() {
        this(0);  // calls: Point.Point
    }
    Point(int x) {}
    static Point make() {
        return new Point(3);  // calls: Point.Point
    }
}
class Implicit {}
class Main {
    static void look(Object o) {}
    void main() {
        look(new Point());  // calls: Point.Point  // holds: Point
        look(new Implicit());  // calls: Implicit.Implicit  // holds: Implicit
        look(Point.make());  // calls: Point.make  // holds: Point
    }
}
