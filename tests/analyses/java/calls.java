import java.util.ArrayDeque;
import java.util.Deque;

class Calls {
    private String find(int number) {
        if (number > 3) {
            return "there";
        }
        return null;
    }

    String resultBad() {
        return find(2).trim();  // null.method
    }

    String throughTwoBad() {
        return pass(find(2)).trim();  // null.method
    }

    String passedOnOk() {
        return pass("there").trim();
    }

    private String pass(String s) {
        return s;
    }

    void argument() {
        takeBad(null);
        takeVarargsOk("a", null);
    }

    private int takeBad(String s) {
        return s.length();  // null.method
    }

    private void takeVarargsOk(String first, String... rest) {
        for (String s : rest) {
            System.out.println(first + s);
        }
    }
}

class Takes {
    void calleeBad(String s) {
        s.trim();  // null.method
    }

    void caller() {
        calleeBad(null);
    }

    void calleeOk(String s) {
        s.trim();
    }

    void carefulCaller(String s) {
        if (s != null) {
            calleeOk(s);
        }
    }
}

class OverloadsByArity {
    String find(String key) {
        return null;
    }

    String find(String key, String other) {
        return other;
    }

    String oneBad() {
        return find("a").trim();  // null.method
    }

    String twoOk() {
        return find("a", "b").trim();
    }
}

class OverloadsByType {
    String find(int key) {
        return "there";
    }

    String find(String key) {
        return null;
    }

    String stringBad() {
        return find("a").trim();  // null.method
    }

    String intOk() {
        return find(1).trim();
    }
}

class Static {
    static String find() {
        return null;
    }

    String unqualifiedBad() {
        return find().trim();  // null.method
    }

    static String qualifiedBad() {
        return Static.find().trim();  // null.method
    }
}

class Refuses {
    void missingOk(String s) {
        String t = maybe(s);
        if (t == null) {
            fail(s);
        }
        t.trim();
    }

    private String maybe(String s) {
        return s.isEmpty() ? null : s;
    }

    private static void fail(String s) {
        throw new IllegalStateException(s);
    }

    void toldBad(String s) {
        String t = maybe(s);
        if (t == null) {
            tell(s);
        }
        t.trim();  // null.method
    }

    private static void tell(String s) {
        System.out.println(s);
    }
}

class Flags {
    String find(String key, boolean required) {
        if (key.isEmpty()) {
            if (required) {
                throw new IllegalArgumentException(key);
            }
            return null;
        }
        return key;
    }

    String requiredOk(String key) {
        return find(key, true).trim();
    }

    String notRequiredBad(String key) {
        return find(key, false).trim();  // null.method
    }
}

class OverloadsOfTheLibrarysTypes {
    static int parseBad(String text, Deque<String> tokens) {
        return tokens.size();  // null.method
    }

    static int parseOk(String text, Deque<String> tokens) {
        return tokens.size();
    }

    static int parseBad(String text, ClassLoader loader) {
        return loader.hashCode();  // null.method
    }

    static int parseOk(String text, ClassLoader loader) {
        return text.length();
    }

    static int ofItsTypeOk() {
        return parseOk("a", Calls.class.getClassLoader()) + parseBad("b", Calls.class.getClassLoader());
    }

    static int ofASubtypeOk(boolean has) {
        ArrayDeque<String> items = has ? new ArrayDeque<>() : null;
        return parseBad("a", items);
    }
}

class OverloadsByClass {
    private final byte[] bytes;

    OverloadsByClass(byte[] bytes) {
        this(bytes.clone(), null);
    }

    OverloadsByClass(String text) {
        this(text, 0);
    }

    OverloadsByClass(String text, int order) {
        this.bytes = new byte[order];
    }

    OverloadsByClass(ArrayDeque<String> parts) {
        this(takenOk(parts), null);
    }

    OverloadsByClass(byte[] bytes, String text) {
        this.bytes = bytes;
    }

    static byte[] takenOk(ArrayDeque<String> parts) {
        return new byte[parts.size()];
    }

    String orNull(String key) {
        return key.isEmpty() ? null : key;
    }

    OverloadsByClass ofAStringOk(String text) {
        return new OverloadsByClass(text);
    }

    OverloadsByClass ofAResultOk() {
        return new OverloadsByClass(orNull("a"));
    }

    OverloadsByClass throughAParameterOk() {
        return ofAStringOk(orNull("a"));
    }

    int sizedOk(Object one, int two) {
        return one.hashCode();
    }

    int sizedOk(String one, ArrayDeque<String> two) {
        return one == null ? 0 : two.size();
    }

    int whereNoneIsOfBothKindsOk() {
        return sizedOk("a", 1);
    }

    int boxedBad(Object one, String key) {
        return key.length();  // null.method
    }

    int boxedBad(int one, String key) {
        return key.length();  // null.method
    }

    int ofABoxOk(Integer one) {
        return boxedBad(one, orNull("c"));
    }
}
