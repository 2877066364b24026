import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

interface Source<T extends @Nullable Object> {
    T next();
}

class Box<T extends @Nullable Object> {
    T content;

    Box(T content) {
        this.content = content;
    }

    T get() {
        throw new UnsupportedOperationException();
    }

    static native <U extends @Nullable Object> Box<U> of(U content);

    static <U> U sure(@Nullable U content) {
        throw new UnsupportedOperationException();
    }
}

class TypeArguments {
    static @Nullable String[] words = {"one"};

    void memberBad(Source<@Nullable String> source) {
        source.next().trim();  // null.method
    }

    void memberOk(Source<String> source) {
        source.next().trim();
    }

    void testedOk(Source<@Nullable String> source) {
        String next = source.next();
        if (next != null) {
            next.trim();
        }
    }

    void wildcardBad(Box<? extends @Nullable String> box) {
        box.get().trim();  // null.method
    }

    void lowerBoundBad(Box<? super String> box) {
        box.get().hashCode();  // null.method
    }

    void wildcardOk(Box<? extends String> box) {
        box.get().trim();
    }

    void fieldBad(Box<@Nullable String> box) {
        box.content.trim();  // null.method
    }

    void fieldOk(Box<@Nullable String> box) {
        if (box.content != null) {
            box.content.trim();
        }
    }

    void inferredBad() {
        var box = Box.of(null);
        box.get().hashCode();  // null.method
    }

    void inferredOk() {
        var box = Box.of("text");
        box.get().hashCode();
    }

    void notNullParameterOk(Source<@Nullable String> source) {
        Box.sure(source.next()).trim();
    }

    void libraryBad(List<@Nullable String> list, Supplier<@Nullable String> supplier) {
        list.get(0).trim();  // null.method
        supplier.get().trim();  // null.method
    }

    void libraryOk(List<String> list, Map<String, @Nullable String> map) {
        list.get(0).trim();
        map.keySet().hashCode();
    }

    void loopBad(List<@Nullable String> list) {
        for (String each : list) {
            each.trim();  // null.method
        }
    }

    void elementBad() {
        words[0].trim();  // null.method
    }

    void elementOk() {
        words.hashCode();
        if (words[1] != null) {
            words[1].trim();
        }
    }

    void storedElementOk() {
        words[0] = "two";
        words[0].trim();
    }

    void unboxedBad(@Nullable Integer[] numbers) {
        int sum = 0;
        for (int number : numbers) {  // null.unboxing
            sum += number;
        }
    }

    void restBad(@Nullable String... rest) {
        for (String each : rest) {
            each.trim();  // null.method
        }
    }

    void restOk(@Nullable String... rest) {
        rest.hashCode();
    }

    void restItselfBad(String first, String @Nullable... rest) {
        for (String each : rest) {  // null.iteration
            each.trim();
        }
    }

    void lambdaBad() {
        Function<@Nullable String, String> trimmed = text -> text.trim();  // null.method
    }

    void declaredLambdaBad() {
        Function<String, String> trimmed = (@Nullable String text) -> text.trim();  // null.method
    }

    void lambdaOk() {
        Function<String, @Nullable String> trimmed = text -> text.trim();
    }

    <V> @Nullable V absent() {
        return null;
    }
}
