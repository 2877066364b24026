import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.*;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.*;
import java.util.regex.Matcher;
import java.util.zip.ZipFile;

// What the sources of the JDK say: of what class a result is, which may be null, and which arguments must not be.
class Jdk {
    int chainBad(Object o) {
        return o.getClass().getProtectionDomain().getCodeSource().hashCode();  // null.method
    }

    int addressBad(Socket socket) {
        return socket.getInetAddress().getHostName().length();  // null.method
    }

    int waitedBad(LinkedBlockingDeque<String> queue) throws InterruptedException {
        return queue.poll(1, TimeUnit.SECONDS).length();  // null.method
    }

    int waitedOk(LinkedBlockingDeque<String> queue) throws InterruptedException {
        return queue.take().length();
    }

    int packageBad() {
        return getClass().getPackage().getImplementationVersion().length();  // null.method
    }

    int packageOk() {
        return getClass().getPackage().getName().length();
    }

    // Other classes than those of arrays have none.
    int componentBad(Object o) {
        return o.getClass().getComponentType().hashCode();  // null.method
    }

    static <T> int componentOk(T... array) {
        return array.getClass().getComponentType().hashCode();
    }

    int entryBad(ZipFile file) {
        return file.getEntry("a").getName().length();  // null.method
    }

    int groupOk(Matcher matcher) {
        return matcher.group(1).length();
    }

    String computedOk(Map<String, String> map) {
        return map.computeIfAbsent("a", key -> "b").trim();
    }

    File constructorBad(boolean some) {
        String name = some ? "x" : null;
        return new File(name);  // null.argument
    }

    File constructorOk(boolean some) {
        String name = some ? "x" : null;
        return name == null ? null : new File(name);
    }

    boolean pathBad(boolean some) {
        Path path = some ? Paths.get("x") : null;
        return Files.exists(path);  // null.argument
    }

    String keyBad(Map<String, String> map, ConcurrentHashMap<String, String> other) {
        return other.get(map.get("a"));  // null.argument
    }

    String keyOk(Map<String, String> map, Map<String, String> other) {
        return other.get(map.get("a"));
    }

    Optional<String> optionalBad(boolean some) {
        String name = some ? "x" : null;
        return Optional.of(name);  // null.argument
    }

    Optional<String> optionalOk(boolean some) {
        String name = some ? "x" : null;
        return Optional.ofNullable(name);
    }

    // A number that cannot be read is another failure, which this code handles.
    int numberOk(boolean some) {
        String digits = some ? "1" : null;
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    // The first use has failed.
    int usedAfterBad(boolean some) {
        String name = some ? "x" : null;
        File file = new File(name);  // null.argument
        return name.length() + file.hashCode();
    }

    // Nobody knows what an executor runs.
    int changedBad(Executor executor, Runnable task) {
        String name = null;
        open = false;
        executor.execute(task);
        return open ? name.length() : 0;  // null.method
    }

    boolean open;
}
