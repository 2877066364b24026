class Frame {
    private Object stream;
    private Object other;

    Frame(Object stream) {
        this.stream = stream;
    }

    Object stream() {
        return stream;
    }

    Object made() {
        return stream == null ? new Object() : stream;
    }

    // Where the left side has found it null and still does not hold, the right side reads it again.
    boolean getterBad(Frame that) {
        return (stream() == null && that.stream() == null) || stream().equals(that.stream());  // null.method
    }

    boolean fieldBad(Frame that) {
        return stream == null && that.stream == null || stream.equals(that.stream);  // null.method
    }

    boolean ifBad(Frame that, boolean wanted) {
        if (stream == null && wanted || stream.equals(that)) {  // null.method
            return true;
        }
        return false;
    }

    boolean testedAgainOk(Frame that) {
        return stream == null && that.stream == null || stream != null && stream.equals(that.stream);
    }

    boolean ternaryOk(Frame that) {
        return stream() == null ? that.stream() == null : stream().equals(that.stream());
    }

    boolean orOk(Frame that) {
        return stream() == null || stream().equals(that.stream());
    }

    boolean madeOk(Frame that) {
        return made() == null && that == null || made().equals(that);
    }

    boolean negatedOk(Frame that) {
        return !(stream == null || that.stream == null) && stream.equals(that.stream);
    }

    int twiceOk() {
        return 31 * (stream == null ? 0 : stream.hashCode()) + (other != null ? other.hashCode() : 0);
    }

    void laterOk() {
        if (stream == null) {
            stream = new Object();
        }
        stream.hashCode();
    }
}
