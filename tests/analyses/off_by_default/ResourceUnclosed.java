import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

class ResourceUnclosed {
    private InputStream kept;
    private final List<InputStream> all = new ArrayList<>();

    // Ways out on which nothing closes.

    int earlyReturnBad(String path) throws IOException {
        InputStream in = new FileInputStream(path);
        int first = in.read();
        if (first < 0) {
            return 0; // resource.unclosed
        }
        in.close();
        return first;
    }

    String wrappedBad(String path) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(new FileInputStream(path)));
        return reader.readLine(); // resource.unclosed
    }

    int thrownBad(File file) throws IOException {
        RandomAccessFile data = new RandomAccessFile(file, "r");
        if (data.length() == 0) {
            throw new IOException("empty"); // resource.unclosed
        }
        int first = data.read();
        data.close();
        return first;
    }

    long staticMethodBad(Path path) throws IOException {
        return Files.lines(path).count(); // resource.unclosed
    }

    private static InputStream open(String path) throws IOException {
        return new FileInputStream(path);
    }

    int ownMethodBad(String path) throws IOException {
        InputStream in = open(path);
        return in.read(); // resource.unclosed
    }

    // What closes.

    int triedOk(String path) throws IOException {
        try (InputStream in = new FileInputStream(path);
                BufferedReader reader = new BufferedReader(new FileReader(path))) {
            return in.read() + reader.read();
        }
    }

    int finallyOk(String path) throws IOException {
        FileInputStream in = null;
        try {
            in = new FileInputStream(path);
            return in.read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            if (in != null) {
                in.close();
            }
        }
    }

    int outermostClosedOk(String path) throws IOException {
        InputStream in = new FileInputStream(path);
        BufferedReader reader = new BufferedReader(new InputStreamReader(in));
        try {
            return reader.read();
        } finally {
            reader.close();
        }
    }

    int callInBetweenOk(String path) throws IOException {
        ZipFile zip = new ZipFile(path);
        int size = zip.size();
        zip.close();
        return size;
    }

    // Who else may close it.

    InputStream returnedOk(String path) throws IOException {
        InputStream in = new FileInputStream(path);
        in.read();
        return in;
    }

    void storedOk(String path) throws IOException {
        kept = new FileInputStream(path);
        InputStream other = new FileInputStream(path);
        all.add(other);
    }

    BufferedReader wrappedAndReturnedOk(String path) throws IOException {
        return new BufferedReader(new FileReader(path));
    }

    Runnable capturedOk(String path) throws IOException {
        InputStream in = new FileInputStream(path);
        return () -> System.out.println(in);
    }
}
