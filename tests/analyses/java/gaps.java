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
}
