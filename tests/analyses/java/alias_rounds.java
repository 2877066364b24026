import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

class Rounds {
    private static final List<String> COLOURS = new ArrayList<>(List.of("red", "green"));
    private static final List<String> SORTED = new ArrayList<>(List.of("red", "green"));
    private static final List<String> NAMED = new ArrayList<>(List.of("red", "green"));
    private static final List<String> EMPTY = new ArrayList<>(16);

    static List<byte[]> readBad(InputStream in) throws IOException {
        List<byte[]> chunks = new ArrayList<>();
        byte[] buffer = new byte[4096];
        while (in.read(buffer) > 0) {  // alias.repeated-element
            chunks.add(buffer);
        }
        return chunks;
    }

    static List<byte[]> readCopyOk(InputStream in) throws IOException {
        List<byte[]> chunks = new ArrayList<>();
        byte[] buffer = new byte[4096];
        while (in.read(buffer) > 0) {
            chunks.add(buffer.clone());
        }
        return chunks;
    }

    static List<byte[]> readNewOk(InputStream in) throws IOException {
        List<byte[]> chunks = new ArrayList<>();
        byte[] buffer = new byte[4096];
        while (in.read(buffer) > 0) {
            chunks.add(buffer);
            buffer = new byte[4096];
        }
        return chunks;
    }

    static List<List<Integer>> gridBad(int rows) {
        List<List<Integer>> grid = new ArrayList<>();
        List<Integer> row = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            grid.add(row);
        }
        grid.get(0).add(1);  // alias.repeated-element
        return grid;
    }

    static Map<String, List<String>> indexBad(List<String> words) {
        Map<String, List<String>> index = new HashMap<>();
        List<String> found = new ArrayList<>();
        for (String word : words) {
            found.add(word);  // alias.repeated-element
            index.put(word, found);
        }
        return index;
    }

    static Map<String, List<String>> indexOk(List<String> words) {
        Map<String, List<String>> index = new HashMap<>();
        for (String word : words) {
            List<String> found = new ArrayList<>();
            found.add(word);
            index.put(word, found);
        }
        return index;
    }

    static List<String> localNameBad(String more) {
        List<String> all = COLOURS;
        all.add(more);  // alias.shared-constant
        return all;
    }

    static List<String> sortedBad() {
        List<String> all = SORTED;
        Collections.sort(all);  // alias.shared-constant
        return all;
    }

    static List<String> copyOk(String more) {
        List<String> all = new ArrayList<>(COLOURS);
        all.add(more);
        return all;
    }

    static void ownNameOk(String more) {
        NAMED.add(more);
        EMPTY.add(more);
    }

    static void emptyAtFirstOk(String more) {
        List<String> all = EMPTY;
        all.add(more);
    }
}

class Declared {
    private final int[] sizes;

    Declared(int[] sizes) {
        this.sizes = sizes.clone();
    }

    int[] sizes() {
        return sizes;
    }

    int[] copied() {
        return sizes.clone();
    }

    static int largestBad(Declared declared) {
        int[] sorted = declared.sizes();
        Arrays.sort(sorted);  // alias.exposed-internal
        return sorted[sorted.length - 1];
    }

    static int largestOk(Declared declared) {
        int[] sorted = declared.copied();
        Arrays.sort(sorted);
        return sorted[sorted.length - 1];
    }

    void clearOk() {
        int[] own = sizes();
        Arrays.fill(own, 0);
    }

    void expireBad(Map<String, Long> sessions, long now) {
        for (Map.Entry<String, Long> each : sessions.entrySet()) {
            if (each.getValue() < now) {
                sessions.remove(each.getKey());  // alias.invalidated-iterator
            }
        }
    }

    void expireOneOk(Map<String, Long> sessions, long now) {
        for (Map.Entry<String, Long> each : sessions.entrySet()) {
            if (each.getValue() < now) {
                sessions.remove(each.getKey());
                return;
            }
        }
    }

    void expireCopyOk(Map<String, Long> sessions) {
        for (String each : new ArrayList<>(sessions.keySet())) {
            sessions.remove(each);
        }
    }

    void expireConcurrentOk(Map<String, Long> sessions, long now) {
        for (String each : sessions.keySet()) {
            if (sessions.get(each) < now) {
                sessions.remove(each);
            }
        }
    }

    void concurrentOk(long now) {
        expireConcurrentOk(new ConcurrentHashMap<>(), now);
    }

    void putOk(Map<String, Long> sessions) {
        for (String each : sessions.keySet()) {
            sessions.put(each, 0L);
        }
    }
}
