package cases;

class Holder {
    private String left;
    private String leftUnset;
    private String filled;
    private String filledLater;
    private String filledByOther;
    private String checked;
    private String guarded;
    static String shared;
    String handedOut;

    void leave() {
        left = null;
    }

    int leftBad() {
        return left.length(); // null.method
    }

    int neverWrittenOk() {
        return leftUnset.length();
    }

    void fill(boolean again) {
        filled = null;
        if (again) {
            filled = "a";
        }
    }

    int filledOk() {
        return filled.length();
    }

    void fillLater() {
        filledLater = null;
        use();
        filledLater = "a";
    }

    int filledLaterOk() {
        return filledLater.length();
    }

    void clear() {
        filledByOther = null;
    }

    void setFilledByOther(String text) {
        filledByOther = text;
    }

    int filledByOtherOk() {
        return filledByOther.length();
    }

    void readChecked() {
        checked = System.getProperty("user.name");
        if (checked == null) {
            throw new IllegalStateException();
        }
    }

    int checkedOk() {
        return checked.length();
    }

    void forget() {
        guarded = null;
    }

    int guardedOk() {
        return guarded != null ? guarded.length() : 0;
    }

    private String during;

    void process(String text) {
        during = text;
        try {
            use();
        } finally {
            during = null;
        }
    }

    int duringOk() {
        return during.length();
    }

    String inherited;

    Holder() {
        inherited = "a";
    }

    void use() {
    }
}

class SmallHolder extends Holder {
    SmallHolder() {
        inherited = null;
    }

    int inheritedOk() {
        return inherited.length();
    }
}

class Writers {
    void readShared() {
        Holder.shared = System.getProperty("my.home");
    }

    int sharedBad() {
        return Holder.shared.length(); // null.method
    }

    void takeOut(Holder holder) {
        holder.handedOut = null;
    }

    void putIn(Object any) {
        Object other = any;
        ((Holder) other).handedOut = "a";
    }

    int handedOutOk(Holder holder) {
        return holder.handedOut.length();
    }

    private int elementBad(String[] texts) {
        String text = texts[1];
        return text.length(); // null.method
    }

    int containerBad() {
        java.util.Vector<String> texts = new java.util.Vector<String>();
        String none = null;
        texts.add(none);
        return texts.remove(0).length(); // null.method
    }

    int loopBad() {
        java.util.List<String> texts = new java.util.ArrayList<>();
        texts.add(null);
        for (String text : texts) {
            return text.length(); // null.method
        }
        return 0;
    }

    int mixedContainerOk() {
        java.util.List<String> texts = new java.util.ArrayList<>();
        texts.add(null);
        texts.add("a");
        return texts.get(1).length();
    }

    int copiedContainerOk(java.util.List<String> others) {
        java.util.List<String> texts = new java.util.ArrayList<>();
        texts.add(null);
        texts.addAll(others);
        return texts.get(1).length();
    }

    int passElement() {
        String none = null;
        String[] texts = new String[2];
        texts[1] = none;
        return elementBad(texts);
    }
}

abstract class Case {
    abstract void run();
}

class FirstCase extends Case {
    private String text;

    void run() {
        text = "a";
    }
}

class SecondCase extends Case {
    private String text;

    private String made() {
        return null;
    }

    void run() {
        text = made();
    }

    int siblingBad() {
        return text.length(); // null.method
    }
}
