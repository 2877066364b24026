import static org.lib.Tools.limit;
import static org.lib.Tools.scan;

class Expressions<T> {
    Object field;
    static Object shared;

    void all(Object given, Expressions<T> other, int[] numbers, int n) {
        field = given;
        this.field = other.field = shared;
        Expressions.shared = scan(limit, java.util.Collections.emptyList());
        numbers[n++] = -1;
        numbers[n] += --n;
        Object cast = (String) given;
        long big = 0x10L + 017 + 0b11 + 1_000;
        char letter = '\n';
        double ratio = 1.5e3;
        String text = "a\tb" + letter + "\u0041";
        Object[][] grid = new Object[n][];
        int[] made = new int[] {1, n};
        int length = made.length + ~n;
        Class<?> type = int.class;
        type = String.class;
        boolean both = given == null || n > 1 && !other.equals(given);
        Object chosen = both ? given : other;
        var inferred = new Expressions<String>();
        inferred.field = super.hashCode();
        toString();
    }
}
