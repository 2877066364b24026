import java.util.Map;

class Reader {
    static String read(String text) {
        if (text == null) {
            return null;
        }
        return text.trim();
    }

    static String through(String text) {
        String found = read(text);
        return found;
    }

    static String flag(String text, boolean strict) {
        if (!strict) {
            return null;
        }
        return text.trim();
    }

    void unknownOk(String text) {
        read(text).trim();
    }

    void unknownThroughOk(String text, StringBuilder more) {
        through(text).trim();
        through(more.toString()).trim();
    }

    void literalBad() {
        read(null).trim();  // null.method
    }

    void literalThroughBad() {
        through(null).trim();  // null.method
    }

    void nullableBad(Map<String, String> texts) {
        read(texts.get("a")).trim();  // null.method
    }

    void nullableThroughBad(Map<String, String> texts) {
        through(texts.get("a")).trim();  // null.method
    }

    void testedOk(Map<String, String> texts) {
        String text = texts.get("a");
        if (text != null) {
            through(text).trim();
        }
    }

    void flagBad(String text, boolean strict) {
        flag(text, strict).trim();  // null.method
    }

    void flagOk(String text) {
        flag(text, true).trim();
    }
}

// The same, chosen in a `return`.
class Chosen {
    static String trimmed(String text) {
        return text == null ? null : text.trim();
    }

    static String orNull(boolean wanted) {
        return wanted ? "a" : null;
    }

    static int thereOk() {
        return trimmed("a").length() + orNull(true).length();
    }

    static int missingBad() {
        return orNull(false).length();  // null.method
    }

    static int nothingBad() {
        return trimmed(null).length();  // null.method
    }
}
