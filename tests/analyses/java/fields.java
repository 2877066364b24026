class Job {
    private final String name;
    private String log;
    private String late;

    Job(String name, String log) {
        this.name = name;
        this.log = log;
        this.late = name;
    }

    Job(String name) {
        this.name = name;
    }

    void logBad() {
        log.trim();  // null.method
    }

    void logTwiceBad() {
        for (int i = 0; i < 3; i++) {
            log.trim();  // null.method
        }
    }

    void nameOk() {
        name.trim();
    }

    void testedOk() {
        if (log != null) {
            log.trim();
        }
    }

    void setLate(String late) {
        this.late = late;
    }

    void setElsewhereOk() {
        late.trim();
    }

    static void jobs() {
        new Job("a").nameOk();
        new Job("a", "b").nameOk();
    }
}

class Never {
    private String text;

    Never() {
    }

    Never(String text) {
        this.text = text;
    }

    // Nobody makes one without a text.
    void useOk() {
        text.trim();
    }

    static Never make() {
        return new Never("x");
    }
}

class Delegating {
    private String text;

    Delegating() {
        this("there");
    }

    Delegating(String text) {
        this.text = text;
    }

    void useOk() {
        text.trim();
    }

    static Delegating make() {
        return new Delegating();
    }
}

class ByHelper {
    private String text;

    ByHelper() {
        init();
    }

    ByHelper(String text) {
        this.text = text;
    }

    private void init() {
        this.text = "there";
    }

    void useOk() {
        text.trim();
    }

    static ByHelper make() {
        return new ByHelper();
    }
}

class Cleared {
    private String text = "there";

    void clearBad() {
        text = null;
        text.trim();  // null.method
    }

    void clearedByCallBad() {
        clear();
        text.trim();  // null.method
    }

    void clear() {
        text = null;
    }

    void clearedAndSetOk() {
        clear();
        text = "again";
        text.trim();
    }

    void otherObjectOk(Cleared other) {
        other.text = null;
        text.trim();
    }
}

class InitialisedByBlock {
    private String text;

    {
        text = "there";
    }

    InitialisedByBlock() {
    }

    InitialisedByBlock(String text) {
        this.text = text;
    }

    void useOk() {
        text.trim();
    }

    static InitialisedByBlock make() {
        return new InitialisedByBlock();
    }
}

class Injected {
    @interface Inject {}

    @Inject private String set;
    @Deprecated private String unset;

    static int made() {
        return new Injected().ofWhatIsInjectedOk() + new Injected().ofWhatIsDeprecatedBad();
    }

    int ofWhatIsInjectedOk() {
        return set.length();
    }

    int ofWhatIsDeprecatedBad() {
        return unset.length();  // null.method
    }
}
