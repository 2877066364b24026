class Queue {
    boolean isEmpty() {
        return true;
    }
}

abstract class Handler {
    private Queue queue = new Queue();

    abstract void other(Object given);

    void removed() {
        if (queue != null) {
            queue = null;
        }
    }

    void open() {
        queue = new Queue();
    }

    void ensure() {
        if (queue == null) {
            throw new IllegalStateException();
        }
    }

    boolean notice() {
        other(this);
        return hashCode() > 0;
    }

    // What a call leaves in a field that it does not set or ask for is what was there.
    void afterCallBad() {
        if (notice() || queue.isEmpty()) {  // null.method
            other(null);
        }
    }

    void afterOtherCallBad(Handler handler) {
        Tool.close(handler);
        queue.isEmpty();  // null.method
    }

    void inLoopBad(int n) {
        do {
            notice();
            if (n > 3) {
                queue.isEmpty();  // null.method
            }
            n++;
        } while (n < 10);
    }

    void afterOpenOk() {
        open();
        queue.isEmpty();
    }

    void afterEnsureOk() {
        ensure();
        queue.isEmpty();
    }

    void afterToolOk() {
        Tool.prepare(this);
        queue.isEmpty();
    }

    void afterTestOk() {
        if (queue != null) {
            other(null);
            queue.isEmpty();
        }
    }
}

class Tool {
    static void close(Handler handler) {
    }

    static void prepare(Handler handler) {
        handler.open();
    }
}

// Null by its constructor alone, and set when it is opened: behind a call nothing is known of that.
class Opened {
    private Queue queue;

    void open() {
        queue = new Queue();
    }

    boolean isOpen() {
        return queue != null;
    }

    boolean wasOpen() {
        return queue != null;
    }

    boolean notice() {
        return true;
    }

    void afterCallOk() {
        notice();
        queue.isEmpty();
    }
}

// More uses rely on it than functions ask for it, and ten or more: there it is set.
class Relied {
    private Queue queue;

    void added() {
        queue = new Queue();
    }

    boolean isAdded() {
        return queue != null;
    }

    boolean oneOk() {
        return queue.isEmpty();
    }

    boolean twoOk() {
        return queue.isEmpty();
    }

    boolean threeOk() {
        return queue.isEmpty();
    }

    boolean fourOk() {
        return queue.isEmpty();
    }

    boolean fiveOk() {
        return queue.isEmpty();
    }

    boolean sixOk() {
        return queue.isEmpty();
    }

    boolean sevenOk() {
        return queue.isEmpty();
    }

    boolean eightOk() {
        return queue.isEmpty();
    }

    boolean nineOk() {
        return queue.isEmpty();
    }

    boolean tenOk() {
        return queue.isEmpty();
    }
}
