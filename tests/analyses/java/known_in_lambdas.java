import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;

class KnownInLambdas {
    @Nullable private final String fixed;
    @Nullable private String changing;
    @Nullable private String set;

    KnownInLambdas(@Nullable String text) {
        fixed = text;
        changing = text;
    }

    void set(@Nullable String text) {
        set = text;
    }

    Supplier<String> fixedOk() {
        if (fixed == null) {
            throw new IllegalStateException();
        }
        return () -> fixed.trim();
    }

    Supplier<String> fixedBad() {
        return () -> fixed.trim();  // null.method
    }

    Supplier<String> laterBad() {
        if (changing == null) {
            throw new IllegalStateException();
        }
        return () -> changing.trim();  // null.method
    }

    void forget() {
        changing = null;
    }

    Supplier<String> onceSetOk() {
        if (set == null) {
            return null;
        }
        return () -> set.trim();
    }

    void atOnceOk(List<String> list, Map<String, String> map) {
        if (this.changing == null) {
            return;
        }
        list.forEach(each -> each.concat(this.changing.trim()));
        map.computeIfAbsent("key", key -> changing.trim());
    }

    void atOnceBad(List<String> list) {
        list.forEach(each -> each.concat(changing.trim()));  // null.method
    }
}
