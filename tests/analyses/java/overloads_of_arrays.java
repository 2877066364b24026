class Writer {
    void setOk(float[] dashes) {
        dashes.clone();
    }

    void setOk(String name) {
        if (name != null) {
            name.trim();
        }
    }

    void helloOk(byte[]... parts) {
        for (byte[] part : parts) {
            part.clone();
        }
    }

    void helloOk(String name, Integer age) {
    }

    void logBad(String format, Object... values) {
        format.trim();  // null.method
    }

    void logOk(String format, Object... values) {
        format.trim();
    }

    void logOk(Class<?> origin) {
    }

    void joinOk(String first, String... more) {
        first.trim();
    }

    void joinOk(String first, int count) {
    }

    static class Joiner extends Writer {
        void joinBad(String first, String... more) {
            first.trim();  // null.method
        }

        void callsOthers(boolean said) {
            joinBad(said ? "a" : null, "b", "c");
        }
    }

    void calls(boolean said) {
        String none = said ? "a" : null;
        setOk(none);
        helloOk(none, 2);
        logBad(none, 1, 2);
        logOk(Writer.class);
        joinOk(none, 3);
    }
}
