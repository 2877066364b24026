import java.util.ArrayDeque;
import java.util.Queue;

class OwnReceivers {
    static class Source implements AutoCloseable {
        public void close() {
        }

        private final int at = 0;

        Integer peek() {
            return at;
        }
    }

    interface Step {
        int run(Object given);
    }

    static class Queued implements Step {
        public int run(Object given) {
            Source source = (Source) given;
            return source.peek() + 1;
        }
    }

    int anythingOk(Queued step, Queue<String> queue) {
        return step.run(new ArrayDeque<String>()) + step.run(new Source());
    }

    int queueBad(Queue<String> queue) {
        return queue.peek().length();  // null.method
    }
}
