import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

class Shape {
    String name() {
        return "shape";
    }

    int corners() {
        return 0;
    }
}

class Square extends Shape {
    @Override
    String name() {
        return null;
    }

    @Override
    int corners() {
        return 4;
    }
}

class Failure extends Exception {
    final int code;

    Failure(int code) {
        this.code = code;
    }
}

class Holder {
    final Shape shape;
    int number;

    Holder(Shape shape) {
        this.shape = shape;
    }
}

class Outer {
    final Holder holder;

    Outer(Holder holder) {
        this.holder = holder;
    }
}

// What small methods of the file do with what is known of their arguments.
class Evaluated {
    private static int limited(int number) {
        if (number > 100) {
            return 100;
        }
        return number + 1;
    }

    String numberOk() {
        String text = null;
        return limited(4) == 5 ? "" : text.trim();
    }

    String numberBad() {
        String text = null;
        return limited(400) == 100 ? text.trim() : "";  // null.method
    }

    String laterOk() {
        String text = null;
        int limit = limited(7);
        return limit != 8 ? text.trim() : "";
    }

    String unknownBad(int number) {
        String text = null;
        return limited(number) == 5 ? text.trim() : "";  // null.method
    }

    private static boolean isLarge(int number) {
        return number > 10 && number % 2 == 0;
    }

    String truthOk() {
        String text = null;
        return isLarge(3) ? text.trim() : "";
    }

    // What a remainder is, is not known.
    String truthBad() {
        String text = null;
        return isLarge(30) ? text.trim() : "";  // null.method
    }

    private static int checked(int number) throws Failure {
        if (number < 0) {
            throw new Failure(number);
        }
        return number + 20;
    }

    private static int caught(int number) {
        try {
            return checked(number - 10);
        } catch (Failure failure) {
            return failure.code;
        }
    }

    String fpThrown() {
        String text = null;
        return caught(3) == -7 ? "" : text.trim();  // null.method
    }

    String thrownBad() {
        String text = null;
        return caught(3) != 13 ? text.trim() : "";  // null.method
    }

    private static int atLast(int number) {
        int result = number;
        try {
            result++;
            System.out.println(result);
        } catch (RuntimeException error) {
            return -1;
        } finally {
            result += 10;
        }
        return result;
    }

    // It may have failed.
    String atLastBad() {
        String text = null;
        return atLast(1) == -1 ? text.trim() : "";  // null.method
    }

    private static int sum(int last) {
        int total = 0;
        for (int index = 0; index <= last; index++) {
            if (index == 2) {
                continue;
            }
            total += index;
        }
        return total;
    }

    String fpLoop() {
        String text = null;
        return sum(4) == 8 ? "" : text.trim();  // null.method
    }

    String loopBad() {
        String text = null;
        return sum(4) == 10 ? "" : text.trim();  // null.method
    }

    private static String word(int kind) {
        if (kind == 1) {
            return "one";
        }
        return null;
    }

    String wordOk() {
        return word(1).trim();
    }

    String wordBad() {
        return word(2).trim();  // null.method
    }

    private static String found(List<String> list, int at) {
        return at < 0 ? null : list.get(at);
    }

    String foundOk(List<String> list) {
        return found(list, 0).trim();
    }

    String foundBad(List<String> list) {
        return found(list, -1).trim();  // null.method
    }

    String first(List<String> list) {
        return list.isEmpty() ? null : list.get(0);
    }

    String firstOk(List<String> list) {
        return list.isEmpty() ? "" : first(list).trim();
    }

    String firstBad() {
        List<String> list = new ArrayList<>();
        return first(list).trim();  // null.method
    }

    Shape square(Shape shape) {
        Shape found = null;
        if (shape instanceof Square) {
            found = shape;
        }
        return found;
    }

    int squareOk() {
        return square(new Square()).corners();
    }

    int squareBad() {
        return square(new Shape()).corners();  // null.method
    }

    private Shape made() {
        return new Shape();
    }

    private Shape madeSquare() {
        return new Square();
    }

    int madeOk() {
        return made().name().length();
    }

    int madeBad() {
        return madeSquare().name().length();  // null.method
    }

    int cornersOk() {
        String text = null;
        Shape shape = madeSquare();
        return shape.corners() == 0 ? text.length() : 0;
    }

    int cornersBad() {
        String text = null;
        Shape shape = madeSquare();
        return shape.corners() == 4 ? text.length() : 0;  // null.method
    }

    List<String> empty() {
        return new ArrayList<>();
    }

    int fpClass() {
        List<String> list = empty();
        String text = list instanceof ArrayList ? "" : null;
        return text.length();  // null.method
    }

    String deep(Outer outer) {
        return outer.holder.shape.name();
    }

    int deepOk() {
        return deep(new Outer(new Holder(new Shape()))).length();
    }

    int deepBad() {
        return deep(new Outer(new Holder(new Square()))).length();  // null.method
    }

    int heldOk() {
        Holder holder = new Holder(new Shape());
        return holder.shape.name().length();
    }

    int heldBad() {
        Holder holder = new Holder(new Square());
        return holder.shape.name().length();  // null.method
    }

    static class Changing {
        Shape shape;

        Changing(Shape shape) {
            this.shape = shape;
        }
    }

    int heldNoMoreBad() {
        Changing changing = new Changing(new Shape());
        changing.shape = new Square();
        return changing.shape.name().length();  // null.method
    }

    int heldInLoopBad(int count) {
        Changing changing = new Changing(new Shape());
        int sum = 0;
        while (count-- > 0) {
            sum += changing.shape.name().length();  // null.method
            changing.shape = new Square();
        }
        return sum;
    }

    static class Many {
        final String first;

        Many(String... words) {
            first = words[0];
        }
    }

    private static String firstOf(Many many, boolean wanted) {
        return wanted ? many.first : null;
    }

    int variadicOk() {
        return firstOf(new Many("a", "b"), true).length();
    }

    int variadicBad() {
        return firstOf(new Many("a", "b"), false).length();  // null.method
    }

    int replaced(Holder holder) {
        keep(holder);
        return holder.number;
    }

    private void keep(Holder holder) {
        holders.add(holder);
        fill();
    }

    private final List<Holder> holders = new LinkedList<>();

    private void fill() {
        holders.get(0).number = 3;
    }

    int replacedBad() {
        String text = null;
        return replaced(new Holder(new Shape())) == 3 ? text.length() : 0;  // null.method
    }
}

// What may be overridden is not known by its own code.
class Chooser {
    String choose(int kind) {
        return kind == 1 ? "one" : null;
    }

    int chosenBad() {
        return choose(1).length();  // null.method
    }

    List<String> some() {
        return new ArrayList<>();
    }

    int someBad() {
        String text = null;
        List<String> list = some();
        return list instanceof ArrayList ? 0 : text.length();  // null.method
    }
}

class OtherChooser extends Chooser {
    @Override
    String choose(int kind) {
        return null;
    }

    @Override
    List<String> some() {
        return new LinkedList<>();
    }
}
