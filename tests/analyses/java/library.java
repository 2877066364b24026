import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakTracker;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

class Library {
    private final Map<String, Integer> counts = new HashMap<>();

    int unboxedBad(String word) {
        int count = counts.get(word);  // null.unboxing
        return count;
    }

    int unboxedInSumBad(String word) {
        return counts.get(word) - 1;  // null.unboxing
    }

    boolean unboxedInComparisonBad(String word) {
        return counts.get(word) > 1;  // null.unboxing
    }

    int unboxedOnReturnBad(String word) {
        return counts.get(word);  // null.unboxing
    }

    Integer boxedOk(String word) {
        return counts.get(word);
    }

    int defaultOk(String word) {
        return counts.getOrDefault(word, 0);
    }

    String propertyBad() {
        return System.getProperty("user.house").trim();  // null.method
    }

    String propertyWithDefaultOk() {
        return System.getProperty("user.home", "").trim();
    }

    String environmentBad() {
        return System.getenv("HOME").trim();  // null.method
    }

    String settingBad(Properties settings) {
        return settings.getProperty("x").trim();  // null.method
    }

    void filesBad(File folder) {
        for (File file : folder.listFiles()) {  // null.iteration
            file.delete();
        }
    }

    String parentBad(File file) {
        return file.getParentFile().getName();  // null.method
    }

    int resourceBad() throws IOException {
        return Library.class.getResourceAsStream("x").read();  // null.method
    }

    String lineBad(BufferedReader reader) throws IOException {
        return reader.readLine().trim();  // null.method
    }

    void linesOk(BufferedReader reader) throws IOException {
        String line;
        while ((line = reader.readLine()) != null) {
            line.trim();
        }
        for (String next = reader.readLine(); next != null; next = reader.readLine()) {
            next.trim();
        }
    }

    void queueBad() {
        Deque<String> queue = new ArrayDeque<>();
        queue.poll().trim();  // null.method
    }

    void queueOk() {
        Deque<String> queue = new ArrayDeque<>();
        while (!queue.isEmpty()) {
            queue.poll().trim();
        }
    }

    String floorBad(TreeMap<String, String> tree) {
        return tree.floorEntry("x").getValue();  // null.method
    }

    void exitOk(String key) {
        String value = System.getenv(key);
        if (value == null) {
            System.exit(1);
        }
        value.trim();
    }

    void switchBad() {
        switch (System.getenv("MODE")) {  // null.switch
            case "a":
                break;
            default:
        }
    }

    int setByTheMachineOk() {
        return System.getProperty("java.version").length();
    }

    int setByAnyoneBad() {
        return System.getProperty("my.own").length();  // null.method
    }

    int headerBad(HttpHeaders headers) {
        return headers.get("host").length();  // null.method
    }

    int headerOk(HttpHeaders headers) {
        return headers.get("host", "localhost").length();
    }
}

class Tracked {
    private final ResourceLeakTracker<Tracked> tracker;

    Tracked(ResourceLeakDetector<Tracked> detector) {
        tracker = detector.track(this);
    }

    // What is not sampled is not tracked.
    void closeBad() {
        tracker.close(this);  // null.method
    }

    void closeOk() {
        if (tracker != null) {
            tracker.close(this);
        }
    }
}
