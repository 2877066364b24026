package cases;

class Constants {
    private static final boolean OFF = false;
    private boolean on = true;
    private boolean changed = false;
    private int five = 5;

    void toggle() {
        changed = !changed;
    }

    private static boolean never() {
        return false;
    }

    boolean overridable() {
        return false;
    }

    int fieldThatIsOffOk() {
        String text = null;
        if (on) {
            text = "a";
        }
        return text.length();
    }

    int fieldThatIsOffBad() {
        String text = null;
        if (OFF) {
            text = "a";
        }
        return text.length(); // null.method
    }

    int changedFieldBad() {
        String text = "a";
        if (changed) {
            text = null;
        }
        return text.length(); // null.method
    }

    int twoFieldsOk() {
        String text = "a";
        if (OFF) {
            text = null;
        }
        return on ? text.length() : 0;
    }

    int twoFieldsBad() {
        String text = "a";
        if (on) {
            text = null;
        }
        if (changed) {
            return text.length(); // null.method
        }
        return 0;
    }

    int comparedOk() {
        String text = null;
        if (five == 5) {
            text = "a";
        }
        return text.length();
    }

    int comparedBad() {
        String text = null;
        if (five != 5) {
            text = "a";
        }
        return text.length(); // null.method
    }

    int literalsOk() {
        String text = null;
        if (5 == 5) {
            text = "a";
        }
        return text.length();
    }

    int resultOk() {
        String text = "a";
        if (never()) {
            text = null;
        }
        return text.length();
    }

    int overridableResultBad() {
        String text = "a";
        if (overridable()) {
            text = null;
        }
        return text.length(); // null.method
    }

    int otherClassOk() {
        String text = "a";
        if (Switches.DEBUG || Switches.mode != 3) {
            text = null;
        }
        return text.length();
    }

    int otherClassWrittenBad() {
        String text = "a";
        if (Switches.level == 1) {
            text = null;
        }
        return text.length(); // null.method
    }

    void raise(Switches switches) {
        switches.level++;
    }
}

class Switches {
    static final boolean DEBUG = false;
    static int mode = 3;
    static int level = 0;
}
