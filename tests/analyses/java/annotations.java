import org.jspecify.annotations.Nullable;

interface Source {
    @Nullable String next();

    @org.checkerframework.checker.nullness.qual.Nullable String other();

    String sure();
}

class Annotations {
    private @Nullable String name;

    String resultBad(Source source) {
        return source.next().trim();  // null.method
    }

    String qualifiedBad(Source source) {
        return source.other().trim();  // null.method
    }

    String sureOk(Source source) {
        return source.sure().trim();
    }

    String testedOk(Source source) {
        String s = source.next();
        return s == null ? "" : s.trim();
    }

    String parameterBad(@Nullable String s) {
        return s.trim();  // null.method
    }

    String checkForNullBad(@CheckForNull String s) {
        return s.trim();  // null.method
    }

    String parameterTestedOk(@Nullable String s) {
        if (s == null) {
            return "";
        }
        return s.trim();
    }

    String nonNullOk(@NonNull String s) {
        return s.trim();
    }

    String fieldBad() {
        return name.trim();  // null.method
    }

    String fieldTestedOk() {
        return name != null ? name.trim() : "";
    }

    String fieldAssignedOk() {
        name = "there";
        return name.trim();
    }

    String fieldCopiedOk() {
        String copy = this.name;
        if (copy == null) {
            return "";
        }
        return copy.trim();
    }

    void twiceOk() {
        if (this.name == null) {
            return;
        }
        this.name.trim();
        name.length();
    }
}

class Shared {
    @Nullable static String label;
    static Integer @Nullable [] numbers = {1};

    static int labelBad() {
        return label.length();  // null.method
    }

    static int labelOk() {
        return label == null ? 0 : label.length();
    }

    static int numbersBad() {
        return numbers.length;  // null.attribute
    }

    static int givenBad(String @Nullable [] names) {
        return names.length;  // null.attribute
    }
}

class Command {
    @Nullable
    private List<String> options;
    @Nullable
    protected List<String> words;

    int countBad() {
        return options.size();  // null.method
    }
}

class Delete extends Command {
    private final List<String> options = read();

    int countOk() {
        return options.size();
    }

    int wordsBad() {
        return words.size();  // null.method
    }

    static native List<String> read();
}

class DeleteAll extends Delete {
    int allWordsBad() {
        return words.size();  // null.method
    }
}
