import java.util.function.*;

class Closures {
    int field;

    Object make(Object given, java.util.List<String> names) {
        Object held = given;
        Runnable run = () -> { use(held); field++; };
        Function<String, Object> map = name -> held;
        BiFunction<String, Integer, Object> two = (String a, Integer b) -> { return a; };
        Function<Object, Object> nested = x -> (Supplier<Object>) () -> x;
        Supplier<Closures> create = Closures::new;
        Runnable reference = this::run;
        Function<String, Integer> length = String::length;
        Object anonymous = new Object() {
            Object kept = given;
            public String toString() { return names.get(field); }
        };
        class Local {
            Object value() { return held; }
            class Deeper { }
        }
        new Local().value();
        return new Local.Deeper();
    }

    void use(Object o) { }

    void run() { use(null); }
}
