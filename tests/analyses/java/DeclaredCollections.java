import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a variable is declared to be of the library rules out the methods of other classes. */
class DeclaredCollections {
    static Object makeOk(boolean b) {
        return b ? Collections.emptyList() : Collections.emptyMap();
    }

    static int castToListOk(boolean b) {
        List<Object> outer = (List<Object>) makeOk(b);
        List<Object> inner = (List<Object>) outer.get(0);
        return inner.size();
    }

    static int castToMapBad(boolean b) {
        Map<String, List<Object>> outer = (Map<String, List<Object>>) makeOk(b);
        List<Object> inner = outer.get("a");
        return inner.size();  // null.method
    }

    static int elementsOk(List<Object> all) {
        int n = 0;
        for (Object each : all) {
            List<Object> list = (List<Object>) each;
            n += ((List<Object>) list.get(0)).size();
        }
        return n;
    }

    static int ofManyOk() {
        List<Object> all = new ArrayList<>();
        all.add(Collections.emptyMap());
        all.add(new ArrayList<Object>());
        return elementsOk(all);
    }

    static int subclassBad() {
        Map<String, String> map = new HashMap<>();
        return map.get("a").length();  // null.method
    }
}
