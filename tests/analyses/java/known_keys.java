import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

class Registry {
    private final Map<String, String> names = new HashMap<>();

    String putOk(String key) {
        Map<String, String> map = new HashMap<>();
        map.put(key, "a");
        return map.get(key).trim();
    }

    String putOtherBad(String key, String other) {
        Map<String, String> map = new HashMap<>();
        map.put(other, "a");
        return map.get(key).trim();  // null.method
    }

    String putThenChangedBad(String key, String other) {
        Map<String, String> map = new HashMap<>();
        map.put(key, "a");
        key = other;
        return map.get(key).trim();  // null.method
    }

    String removedBad(String key) {
        Map<String, String> map = new HashMap<>();
        map.put(key, "a");
        map.remove(key);
        return map.get(key).trim();  // null.method
    }

    String clearedBad(String key) {
        Map<String, String> map = new HashMap<>();
        map.put(key, "a");
        map.clear();
        return map.get(key).trim();  // null.method
    }

    String otherRemovedOk(String key) {
        Map<String, String> map = new HashMap<>();
        map.put(key, "a");
        map.remove("b");
        return map.get(key).trim();
    }

    String containedOk(String key) {
        if (names.containsKey(key)) {
            return names.remove(key).trim();
        }
        return "";
    }

    void keysOk(Map<String, String> map) {
        for (String key : map.keySet()) {
            map.get(key).trim();
        }
        for (String key : names.keySet()) {
            this.names.get(key).trim();
        }
    }

    void keysOfAnotherBad(Map<String, String> map) {
        for (String key : map.keySet()) {
            names.get(key).trim();  // null.method
        }
    }

    String propertyOk(Properties table, String key) {
        if (!table.containsKey(key)) {
            return key;
        }
        String value = table.getProperty(key);
        return value.trim();
    }

    String propertyOfAnotherKeyBad(Properties table, String key, String other) {
        if (!table.containsKey(key)) {
            return key;
        }
        return table.getProperty(other).trim();  // null.method
    }
}
