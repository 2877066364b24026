import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

@interface Contract {
    String value();
}

@interface EnsuresNonNull {
    String[] value();
}

@interface EnsuresNonNullIf {
    String[] value();

    boolean result() default true;
}

@interface RequiresNonNull {
    String[] value();
}

class Checks {
    static void ensure(Object o) {
        if (o == null) {
            throw new IllegalArgumentException();
        }
    }

    static boolean isThere(String s) {
        return s != null && !s.isEmpty();
    }

    static boolean isMissing(String s) {
        if (s == null) {
            return true;
        }
        return s.isEmpty();
    }

    static void holds(boolean condition) {
        if (!condition) {
            throw new IllegalStateException();
        }
    }

    static void never(boolean condition, String message) {
        if (condition) {
            throw new IllegalStateException(message);
        }
    }

    static void looks(boolean condition) {
        if (condition) {
            System.out.println("yes");
        }
    }

    @Contract("null -> fail")
    static native void promised(Object o);

    @Contract("_, null -> false")
    static native boolean both(int i, Object o);
}

class Helpers {
    Map<String, String> map;
    String state;
    String other;

    void ensuredOk(String key) {
        String s = map.get(key);
        Checks.ensure(s);
        s.trim();
    }

    void ensuredOtherBad(String key) {
        String s = map.get(key);
        String t = map.get("other");
        Checks.ensure(s);
        t.trim();  // null.method
    }

    void isThereOk(String key) {
        String s = map.get(key);
        if (Checks.isThere(s)) {
            s.trim();
        }
    }

    void isThereBad(String key) {
        String s = map.get(key);
        if (!Checks.isThere(s)) {
            s.trim();  // null.method
        }
    }

    void storedResultOk(String key) {
        String s = map.get(key);
        boolean there = Checks.isThere(s);
        if (there) {
            s.trim();
        }
    }

    void isMissingOk(String key) {
        String s = map.get(key);
        if (Checks.isMissing(s)) {
            return;
        }
        s.trim();
    }

    void conditionOk(String key) {
        String s = map.get(key);
        Checks.holds(s != null);
        s.trim();
    }

    void conditionsOk(String key) {
        String s = map.get(key);
        Checks.never(s == null || key.isEmpty(), "no value");
        s.trim();
    }

    void wrongConditionBad(String key) {
        String s = map.get(key);
        Checks.never(s != null, "a value");
        s.trim();  // null.method
    }

    void unheededConditionBad(String key) {
        String s = map.get(key);
        Checks.looks(s != null);
        s.trim();  // null.method
    }

    void contractOk(String key) {
        String s = map.get(key);
        Checks.promised(s);
        s.trim();
    }

    void contractOfResultOk(String key) {
        String s = map.get(key);
        if (Checks.both(1, s)) {
            s.trim();
        }
    }

    void contractOfResultBad(String key) {
        String s = map.get(key);
        if (!Checks.both(1, s)) {
            s.trim();  // null.method
        }
    }

    boolean isReady() {
        if (state != null) {
            return true;
        }
        return false;
    }

    @EnsuresNonNullIf(value = "other", result = true)
    native boolean hasOther();

    @EnsuresNonNull("state")
    native void prepare();

    void clear() {
        state = null;
        other = null;
    }

    void readyOk() {
        if (isReady()) {
            state.trim();
        }
    }

    void notReadyBad() {
        state = null;
        if (!isReady()) {
            state.trim();  // null.method
        }
    }

    void otherOk() {
        if (hasOther()) {
            other.trim();
        }
    }

    void preparedOk() {
        state = null;
        prepare();
        state.trim();
    }

    @RequiresNonNull("state")
    void requiredOk() {
        state.trim();
    }
}

class Applied {
    static <T> T run(Function<String, T> f) {
        T result = f.apply("");
        return result;
    }

    static <T> T ignore(Supplier<T> f, T other) {
        f.get();
        return other;
    }

    static String nothing(String s) {
        return null;
    }

    void lambdaBad() {
        run(s -> null).hashCode();  // null.method
    }

    void lambdaOk() {
        run(s -> s + "!").hashCode();
    }

    void referenceBad() {
        run(Applied::nothing).trim();  // null.method
    }

    void ignoredOk() {
        ignore(() -> null, "other").hashCode();
    }

    void localBad() {
        Supplier<String> none = () -> null;
        none.get().trim();  // null.method
    }

    void localOk() {
        Supplier<String> some = () -> "some";
        some.get().trim();
    }

    void optionalBad(Optional<String> optional) {
        optional.orElse(null).trim();  // null.method
        optional.orElseGet(() -> null).trim();  // null.method
    }

    void optionalOk(Optional<String> optional) {
        optional.orElse("").trim();
        optional.orElseGet(() -> "").trim();
    }
}
