package shop.store;

import java.util.*;
import java.util.Map.Entry;
import org.other.Base;

class Item extends Base<Item> implements Comparable<Item>, Marked {
    static final int LIMIT = 10;
    private String name = "item", parts[] = {"a"};
    int count;

    { count = LIMIT; }

    static { Registry.add(Item.class); }

    Item(int count) {
        super("item");
        this.count = count;
    }

    Item() {
        this(1);
    }

    abstract Entry<String, Item> entry();

    static class Nested {
        Nested again() { return new Nested(); }
    }

    class Inner {
        int total() { return count + Item.this.count; }

        Inner other(Item item) { return item.new Inner(); }
    }
}

enum Color {
    RED,
    GREEN("g") {
        String show() { return "green"; }
    };

    private String letter;

    Color() { }

    Color(String letter) { this.letter = letter; }

    String show() { return letter; }
}

record Pair(int left, String... right) {
    Pair {
        if (left < 0) throw new IllegalArgumentException();
    }

    int left() { return left; }
}

interface Shape {
    int SIDES = 4;

    double area();

    default boolean empty() { return area() == 0; }
}
