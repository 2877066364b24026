import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

class Bus {
    private final List<String> names = new ArrayList<>();
    private final List<String> others = new ArrayList<>();
    private final List<String> copying = new CopyOnWriteArrayList<>();
    private final Map<String, String> map = new HashMap<>();

    void directBad() {
        for (String name : names) {
            names.remove(name);  // alias.invalidated-iterator
        }
    }

    void byMethodBad() {
        for (String name : names) {
            drop(name);  // alias.invalidated-iterator
        }
    }

    private void drop(String name) {
        names.remove(name);
    }

    void copyOk() {
        for (String name : new ArrayList<>(names)) {
            names.remove(name);
        }
    }

    void otherListOk() {
        for (String name : names) {
            others.remove(name);
        }
    }

    void otherObjectOk(Bus other) {
        for (String name : names) {
            other.names.remove(name);
        }
    }

    void leavesOk() {
        for (String name : names) {
            if (name.isEmpty()) {
                names.remove(name);
                break;
            }
        }
    }

    void iteratorOk() {
        for (Iterator<String> it = names.iterator(); it.hasNext();) {
            it.next();
            it.remove();
        }
    }

    void copyOnWriteOk() {
        for (String name : copying) {
            copying.remove(name);
        }
    }

    void keysBad() {
        for (String key : map.keySet()) {
            map.remove(key);  // alias.invalidated-iterator
        }
    }

    void replaceOk() {
        for (String key : map.keySet()) {
            map.put(key, "x");
        }
    }

    void localUnderTwoNamesBad() {
        List<String> list = new ArrayList<>();
        List<String> same = list;
        for (String name : list) {
            same.add(name);  // alias.invalidated-iterator
        }
    }

    void arrayOk(String[] names) {
        List<String> list = new ArrayList<>();
        for (String name : names) {
            list.add(name);
        }
        names = list.toArray(names);
        for (String name : names) {
            list.add(name);
        }
    }

    static List<Object> grownOk(Object data) {
        List<Object> rows = (List<Object>) data;
        List<Object> result = new ArrayList<>();
        for (Object row : (List<Object>) (List<?>) rows) {
            result.add(row);
        }
        return result;
    }

    static Object grownTwiceOk(Object data) {
        return grownOk(grownOk(data));
    }

    Map<String, Map<String, Object>> tables;

    void copyOk(Bus source) {
        if (tables == null) {
            tables = new HashMap<>();
        }
        for (Map.Entry<String, Map<String, Object>> each : source.tables.entrySet()) {
            tables.computeIfAbsent(each.getKey(), key -> new HashMap<>()).putAll(each.getValue());
        }
    }

    static void exchangeOk(Bus one, Bus other) {
        one.copyOk(other);
        other.copyOk(one);
    }
}
