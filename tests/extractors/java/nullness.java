import org.jspecify.annotations.*;

class Cache {
    private @Nullable String last;
    @NonNull String first = "";

    @Nullable String find(@Nullable String key, @NonNull Object of, String plain) {
        return last;
    }

    String @Nullable [] array(@Nullable String[] elements, Object @Nullable... rest) {
        return null;
    }
}
