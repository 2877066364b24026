import java.util.ArrayList;
import java.util.List;

// Tests of classes that can have one outcome only.
class Kinds {
    static class Shape {
    }

    static class Circle extends Shape {
    }

    static class Dot extends Circle {
    }

    static class Square extends Shape {
    }

    interface Named {
    }

    void newOk() {
        Shape shape = new Dot();
        String text = null;
        if (shape instanceof Circle) {
            text = "circle";
        }
        text.trim();
    }

    void newBad() {
        Shape shape = new Square();
        String text = null;
        if (shape instanceof Circle) {
            text = "circle";
        }
        text.trim();  // null.method
    }

    void libraryOk() {
        List<String> list = new ArrayList<>();
        String text = null;
        if (list instanceof ArrayList) {
            text = "array";
        }
        text.trim();
    }

    // What classes of other files are derived from is not known.
    void libraryBad() {
        Object list = new ArrayList<String>();
        String text = null;
        if (list instanceof List) {
            text = "list";
        }
        text.trim();  // null.method
    }

    void againOk(Shape shape) {
        String text = null;
        if (shape instanceof Dot) {
            if (!(shape instanceof Circle)) {
                text.trim();
            }
        }
    }

    void apartOk(Shape shape) {
        String text = null;
        if (shape instanceof Circle && shape instanceof Square) {
            text.trim();
        }
    }

    void bothBad(Shape shape) {
        String text = null;
        if (shape instanceof Circle && shape instanceof Named) {
            text.trim();  // null.method
        }
    }

    void notOk(Shape shape) {
        String text = null;
        if (!(shape instanceof Circle)) {
            if (shape instanceof Dot) {
                text.trim();
            }
        }
    }

    void notBad(Shape shape) {
        String text = null;
        if (!(shape instanceof Dot)) {
            if (shape instanceof Circle) {
                text.trim();  // null.method
            }
        }
    }

    // What is declared to be of the class is null where it is none.
    void declaredOk(Circle circle) {
        String text = null;
        if (circle != null && !(circle instanceof Shape)) {
            text.trim();
        }
    }

    void nullOk() {
        Shape shape = null;
        String text = null;
        if (shape instanceof Circle) {
            text.trim();
        }
    }

    void oneWayBad(Shape shape, int number) {
        String text = null;
        if (number > 3 && !(shape instanceof Circle)) {
            return;
        }
        if (!(shape instanceof Circle)) {
            text.trim();  // null.method
        }
    }

    void thisOk() {
        String text = null;
        if (this == null) {
            text.trim();
        }
    }
}
