import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Thing {}

class Containers {
    static void arrays(int i) {
        Thing x = new Thing();
        Thing y = new Thing();
        Thing[] things = {x, y};
        ask(things[0], x);  // one
        ask(things[0], y);  // apart
        things[0] = y;
        ask(things[0], y);  // one
        ask(things[0], x);  // apart
        things[i] = x;
        ask(things[0], x);  // one
    }

    static void lists() {
        Thing x = new Thing();
        Thing y = new Thing();
        List<Thing> things = new ArrayList<>();
        things.add(x);
        things.add(y);
        ask(things.get(0), x);  // one
        ask(things.get(1), x);  // apart
        ask(things.get(1), y);  // one
        things.set(1, x);
        ask(things.get(1), x);  // one
        ask(things.get(1), y);  // apart
    }

    static void movedElements() {
        Thing x = new Thing();
        Thing y = new Thing();
        List<Thing> things = new ArrayList<>();
        things.add(x);
        things.add(y);
        things.remove(x);
        ask(things.get(0), y);  // one
    }

    static void filledInALoop(int n) {
        Thing x = new Thing();
        Thing y = new Thing();
        List<Thing> things = new ArrayList<>();
        things.add(x);
        for (int i = 0; i < n; i++) {
            things.add(y);
        }
        ask(things.get(1), y);  // one
        ask(things.get(1), x);  // apart
    }

    static void changedInALoop(int n) {
        Thing x = new Thing();
        Thing y = new Thing();
        Thing[] things = {x};
        for (int i = 0; i < n; i++) {
            ask(things[0], y);  // one
            things[0] = y;
        }
        ask(things[0], x);  // one
        ask(things[0], y);  // one
    }

    static void anotherInALoop(int n) {
        Thing x = new Thing();
        Thing y = new Thing();
        Thing[] things = {x};
        Thing[] first = things;
        for (int i = 0; i < n; i++) {
            things[0] = y;
            things = new Thing[] {x};
        }
        ask(first[0], y);  // one
        ask(first[0], x);  // one
    }

    static void sorted() {
        Thing x = new Thing();
        Thing y = new Thing();
        List<Thing> things = new ArrayList<>();
        things.add(x);
        things.add(y);
        java.util.Collections.reverse(things);
        ask(things.get(0), y);  // one
    }

    static void maps(String name) {
        Thing x = new Thing();
        Thing y = new Thing();
        Map<String, Thing> things = new HashMap<>();
        things.put("x", x);
        things.put("y", y);
        ask(things.get("x"), x);  // one
        ask(things.get("x"), y);  // apart
        things.put(name, y);
        ask(things.get("x"), y);  // one
    }

    static void ask(Object a, Object b) {}
}
