import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

// Numbers and truths that objects keep: what was written to a field, what a test has shown of it, until a call changes it.
class States extends Thread {
    private boolean ready;
    private final boolean fixed = compute();
    private volatile boolean shared;
    boolean open;
    int count;
    Integer boxed;

    static boolean compute() {
        return System.nanoTime() % 2 == 0;
    }

    static void elsewhere() {
        Thread.yield();
    }

    void change() {
        ready = !ready;
    }

    String testedTwiceOk(String given) {
        String text = null;
        if (ready) {
            text = given.trim();
        }
        System.out.println(given);
        return ready ? text.trim() : "";
    }

    String changedBetweenBad(String given) {
        String text = null;
        if (ready) {
            text = given.trim();
        }
        change();
        return ready ? text.trim() : "";  // null.method
    }

    String fixedOk(String given) {
        String text = null;
        if (fixed) {
            text = given.trim();
        }
        change();
        return fixed ? text.trim() : "";
    }

    String setInLambdaBad(List<String> list) {
        String text = null;
        ready = false;
        list.forEach(each -> ready = true);
        return ready ? text.trim() : "";  // null.method
    }

    String setByReferenceBad(List<Runnable> list) {
        String text = null;
        ready = false;
        Runnable task = this::change;
        list.add(task);
        list.get(0).run();
        return ready ? text.trim() : "";  // null.method
    }

    String setInAnonymousBad() {
        String text = null;
        ready = false;
        Runnable task = new Runnable() {
            public void run() {
                ready = true;
            }
        };
        task.run();
        return ready ? text.trim() : "";  // null.method
    }

    class Inner {
        void set() {
            ready = true;
        }
    }

    String setByInnerBad(Inner inner) {
        String text = null;
        ready = false;
        inner.set();
        return ready ? text.trim() : "";  // null.method
    }

    // What is inherited from a library may call this class.
    String setBySuperBad() {
        String text = null;
        ready = false;
        super.interrupt();
        return ready ? text.trim() : "";  // null.method
    }

    // What is called may call this class.
    String calledBackBad(Runnable other) {
        String text = null;
        ready = false;
        other.run();
        return ready ? text.trim() : "";  // null.method
    }

    String notSetOk(List<String> list) {
        String text = null;
        ready = false;
        list.add("");
        return ready ? text.trim() : "";
    }

    // Another thread may write it.
    String sharedBad(String given) {
        String text = null;
        if (shared) {
            text = given.trim();
        }
        return shared ? text.trim() : "";  // null.method
    }

    // Whoever is called may write a field that is not private.
    String openBad(String given) {
        String text = null;
        if (open) {
            text = given.trim();
        }
        elsewhere();
        return open ? text.trim() : "";  // null.method
    }

    String oppositeBad(String given) {
        String text = null;
        if (ready) {
            text = given.trim();
        }
        return ready ? "" : text.trim();  // null.method
    }

    String writtenOk(String given) {
        String text = given == null ? null : given.trim();
        ready = given != null;
        return ready ? text.trim() : "";
    }

    String constantOk() {
        String text = null;
        count = 3;
        count++;
        return count == 3 ? text.trim() : "";
    }

    String constantBad() {
        String text = null;
        count = 3;
        count++;
        return count == 4 ? text.trim() : "";  // null.method
    }

    static String ofAnotherOk(boolean wanted) {
        States states = new States();
        states.boxed = new Integer(10);
        States same = Objects.requireNonNull(states);
        String text = null;
        return same.boxed.equals(10) ? "" : text.trim();
    }

    static String twoNamesBad(boolean wanted, States other) {
        States states = new States();
        States one = wanted ? states : other;
        String text = null;
        states.count = 1;
        one.count = 2;
        return states.count == 2 ? text.trim() : "";  // null.method
    }

    static String ofOneOk(States other) {
        States states = new States();
        String text = null;
        states.count = 1;
        other.count = 2;
        return states.count == 2 ? text.trim() : "";
    }

    String loopBad(List<String> list) {
        String text = null;
        count = 0;
        for (String each : list) {
            if (count > 0) {
                return text.trim();  // null.method
            }
            count++;
        }
        return "";
    }

    static String cachedOk() {
        Integer one = 127;
        Integer other = 127;
        String text = null;
        return one != other ? text.trim() : "";
    }

    static String largeBad() {
        Integer one = 1270;
        Integer other = 1270;
        String text = null;
        return one != other ? text.trim() : "";  // null.method
    }

    static String plainTruthOk() {
        boolean debug = false;
        String text = null;
        return debug ? text.trim() : "";
    }

    static String truthSetBad(boolean given) {
        boolean debug = false;
        String text = null;
        if (given) {
            debug = true;
        }
        return debug ? text.trim() : "";  // null.method
    }
}

// Containers that are empty, or not.
class Containers {
    String newOk() {
        List<String> list = new ArrayList<>();
        String text = null;
        return list.isEmpty() && list.size() == 0 ? "" : text.trim();
    }

    String newMapOk(String key) {
        Map<String, String> map = new HashMap<>(16);
        String text = null;
        return map.containsKey(key) ? text.trim() : "";
    }

    String filledBad(String given) {
        List<String> list = new ArrayList<>();
        list.add(given);
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    String filledOk(String given) {
        List<String> list = new ArrayList<>();
        list.add(given);
        String text = null;
        return list.isEmpty() ? text.trim() : "";
    }

    String filledInLoopBad(String[] given) {
        List<String> list = new ArrayList<>();
        for (String each : given) {
            list.add(each);
        }
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    String inLoopBad(String[] given) {
        List<String> list = new ArrayList<>();
        String text = null;
        for (String each : given) {
            if (!list.isEmpty()) {
                return text.trim();  // null.method
            }
            list.add(each);
        }
        return "";
    }

    String filledElsewhereBad() {
        List<String> list = new ArrayList<>();
        fill(list);
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    void fill(List<String> list) {
        list.add("");
    }

    List<String> kept;

    String keptBad() {
        List<String> list = new ArrayList<>();
        kept = list;
        fillKept();
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    void fillKept() {
        kept.add("");
    }

    String capturedBad(Runnable[] tasks) {
        List<String> list = new ArrayList<>();
        Runnable task = () -> list.add("");
        task.run();
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    String sameAnswerOk(List<String> list) {
        boolean empty = list.isEmpty();
        String text = null;
        return empty != list.isEmpty() ? text.trim() : "";
    }

    String testedOk(List<String> list) {
        String text = null;
        if (!list.isEmpty()) {
            text = "";
        }
        return list.isEmpty() ? "" : text.trim();
    }

    String otherAnswerBad(List<String> list) {
        boolean empty = list.isEmpty();
        list.remove(0);
        String text = null;
        return empty != list.isEmpty() ? text.trim() : "";  // null.method
    }

    String clearedOk(List<String> list) {
        list.clear();
        String text = null;
        return list.isEmpty() ? "" : text.trim();
    }

    String nothingToRemoveOk() {
        List<String> list = new LinkedList<>();
        list.remove(0);
        String text = null;
        return text.trim();
    }

    String twoNamesBad(boolean wanted, List<String> other) {
        List<String> list = new ArrayList<>();
        List<String> one = wanted ? list : other;
        one.add("");
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }

    String copyBad(List<String> other) {
        List<String> list = new ArrayList<>(other);
        String text = null;
        return list.isEmpty() ? "" : text.trim();  // null.method
    }
}
