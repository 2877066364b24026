import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

// What the analyses get wrong, on purpose of the other rules or for want of one.
class Gaps {
    Map<String, String> map;
    List<String> list;

    void fnNullInACollection() {
        list.add(null);
        list.get(0).trim();  // missed: null.method
    }

    void fnNullInAnArray() {
        String[] words = new String[3];
        words[0].trim();  // missed: null.method
    }

    void fnSupplied() {
        Supplier<String> none = () -> null;
        none.get().trim();  // missed: null.method
    }

    void fpTestedByHelper(String key) {
        String s = map.get(key);
        if (isThere(s)) {
            s.trim();  // null.method
        }
    }

    private static boolean isThere(String s) {
        return s != null;
    }

    void fnReflected() throws Exception {
        Object o = Gaps.class.getMethod("nothing").invoke(this);
        o.hashCode();  // missed: null.method
    }
}
