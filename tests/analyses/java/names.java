import java.util.List;
import javax.annotation.Nonnull;

// Variables and fields that are names of one value: a test of one is one of all.
class Names {
    private String name;
    private Names next;

    void forget() {
        name = null;
        next = null;
    }

    void change() {
        name = next == null ? null : next.name;
    }

    private static Names some(int number) {
        return number > 4 ? null : new Names();
    }

    void fieldTestedOk() {
        String text = name;
        if (name == null) {
            return;
        }
        text.trim();
    }

    void otherTestedBad(Names other) {
        String text = name;
        if (other.name == null) {
            return;
        }
        text.trim();  // null.method
    }

    // The call may have set it anew: what it held before is still in the variable.
    void changedBetweenBad() {
        String text = name;
        change();
        if (name == null) {
            return;
        }
        text.trim();  // null.method
    }

    void fieldInLoopOk(List<String> words) {
        String text = name;
        if (text == null) {
            return;
        }
        for (String word : words) {
            name.trim();
        }
    }

    void fieldInWhileOk(int count) {
        name = null;
        if (count > 3) {
            name = "";
        }
        String text = name;
        if (text == null) {
            return;
        }
        while (count-- > 0) {
            name.trim();
            text = text.trim();
        }
    }

    void variableOk(int number) {
        Names found = some(number);
        Names one = found;
        if (one == null) {
            return;
        }
        found.forget();
    }

    void variableSetBad(int number) {
        Names found = some(number);
        Names one = found;
        found = some(number + 1);
        if (one == null) {
            return;
        }
        found.forget();  // null.method
    }

    void variableInLoopOk(int number) {
        Names found = some(number);
        Names one = found;
        if (one == null) {
            return;
        }
        for (int index = 0; index < number; index++) {
            found.forget();
            one = one.name == null ? found : one;
        }
    }

    native @Nonnull String certain();

    native String uncertain();

    // Asked although it is declared not to be null.
    void carefulOk() {
        String text = certain();
        if (text == null) {
            System.out.println("none");
        }
        text.trim();
    }

    void carelessBad() {
        String text = uncertain();
        if (text == null) {
            System.out.println("none");
        }
        text.trim();  // null.method
    }
}
