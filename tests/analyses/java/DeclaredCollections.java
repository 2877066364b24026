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

    static int testedOk(boolean b) {
        List<Object> outer = (List<Object>) makeOk(b);
        if (outer.isEmpty()) return 0;
        List<Object> inner = (List<Object>) outer.get(0);
        return inner.size();
    }

    static int testedBeforeOk(boolean b) {
        Object made = makeOk(b);
        if (made == null) return 0;
        List<Object> outer = (List<Object>) made;
        List<Object> inner = (List<Object>) outer.get(0);
        return inner.size();
    }
}

/** An object of a class of the program is in no variable or field that is declared to be of another one. */
class Marked implements Map<String, Boolean> {
    private final Map<String, Boolean> inner = new HashMap<>();

    public Boolean remove(Object key) {
        return inner.remove(key);
    }
}

class KeptList {
    protected final List<Boolean> list;
    private final Map<String, Boolean> map;

    KeptList(Object data) {
        this.list = (List<Boolean>) data;
        this.map = (Map<String, Boolean>) data;
    }

    boolean removeOk(Object o) {
        return list.remove(o);
    }

    boolean removeBad(Object o) {
        return map.remove(o);  // null.unboxing
    }

    static KeptList keepOk() {
        return new KeptList(new Marked());
    }
}

/** What a class from outside inherits from is not known. */
class FromOutside extends other.Forwarding {
    private final Map<String, Boolean> inner = new HashMap<>();

    public Boolean remove(Object key) {
        return inner.remove(key);
    }
}

class KeptOfOutside {
    private final List<Boolean> kept;

    KeptOfOutside(Object data) {
        this.kept = (List<Boolean>) data;
    }

    boolean removeBad(Object o) {
        return kept.remove(o);  // null.unboxing
    }

    static KeptOfOutside keepOk() {
        return new KeptOfOutside(new FromOutside());
    }
}

class DerivedList extends KeptList {
    DerivedList() {
        super(new Marked());
    }

    boolean removeAgainOk(Object o) {
        return list.remove(o);
    }
}
