class Stream {
    void close() {
    }
}

class Transport {
    private Stream stream;
    private Stream late;

    void open(Stream opened) {
        stream = opened;
        late = opened;
    }

    void release() {
        stream = null;
    }

    boolean isOpenOk() {
        return stream != null;
    }

    void disconnectBad() {
        stream.close();  // null.method
    }

    void disconnectOk() {
        if (stream != null) {
            stream.close();
        }
    }

    void disconnectEarlyOk() {
        if (stream == null) {
            return;
        }
        stream.close();
    }

    // Never compared with null: what a constructor leaves unset is set by the time that it is used.
    void lateOk() {
        late.close();
    }

    void pass() {
        endBad(stream);
    }

    private void endBad(Stream given) {
        given.close();  // null.method
    }
}

class Session {
    private Stream stream = new Stream();

    void stop() {
        if (stream != null) {
            finish();
            stream = null;
        }
    }

    // Only called where the caller has compared.
    private void finish() {
        stream.close();
    }

    void openOk() {
        if (isOpen()) {
            stream.close();
        }
    }

    boolean isOpen() {
        return stream != null;
    }
}

class Node {
    Node next;
    static Stream shared;

    Node(Node next) {
        this.next = next;
    }

    Node() {
    }

    boolean isLast() {
        return next == null;
    }

    // Which parts of a list are there is known by how it is built.
    static Node thirdOk(Node first) {
        return first.next.next;
    }

    static void close() {
        shared = null;
    }

    static boolean isClosed() {
        return shared == null;
    }

    static void staticBad() {
        shared.close();  // null.method
    }
}
