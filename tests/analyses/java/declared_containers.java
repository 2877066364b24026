import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

// What is declared to be a list is not the map that the same generic function may make.
class DeclaredContainers {
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

    void declaredToBeAnotherOk() {
        List<String> words = from(false);
        words.get(0).trim();
    }

    void declaredToBeOneBad() {
        Map<String, String> words = from(true);
        words.get("key").trim();  // null.method
    }
}
