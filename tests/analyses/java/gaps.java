import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

// What the analyses get wrong, on purpose of the other rules or for want of one.
class Gaps {
    List<String> list;

    void fnNullInACollection() {
        list.add(null);
        list.get(0).trim();  // missed: null.method
    }

    void fnNullInAnArray() {
        String[] words = new String[3];
        words[0].trim();  // missed: null.method
    }

    void fnReflected() throws Exception {
        Object o = Gaps.class.getMethod("nothing").invoke(this);
        o.hashCode();  // missed: null.method
    }

    private Object read(boolean keyed) {
        if (keyed) {
            return new LinkedHashMap<String, Object>();
        }
        return new ArrayList<Object>();
    }

    @SuppressWarnings("unchecked")
    <T> T from(boolean keyed) {
        return (T) read(keyed);
    }

    void fpDeclaredToBeAnother() {
        List<String> words = from(false);
        words.get(0).trim();  // null.method
    }
}
