class Shown {
    private StringBuilder out;

    Shown() {
        out = null;
    }

    void open() {
        out = new StringBuilder();
    }

    void close() {
        out = null;
    }

    void write(String text) {
        if (out == null)
            return;
        passOk(text);
    }

    private void passOk(String text) {
        putOk(text);
    }

    private void putOk(String text) {
        out.append(text);
    }

    void end(String text) {
        endBad(text);
    }

    private void endBad(String text) {
        out.append(text);  // null.method
    }

    static void all() {
        Shown shown = new Shown();
        shown.open();
        shown.write("a");
        shown.close();
        shown.end("b");
    }
}
