import java.util.ArrayList;
import java.util.List;

class Column {
    private final StringBuilder text;

    Column(StringBuilder text) {
        this.text = text;
    }

    void lineBad(String line) {
        text.append(line);  // alias.stored-argument
    }
}

class Tables {
    Column left;
    Column right;

    Tables() {
        StringBuilder shared = new StringBuilder();
        left = new Column(shared);
        right = new Column(shared);
    }
}

class Own {
    private final List<String> lines;

    Own(List<String> lines) {
        this.lines = new ArrayList<>(lines);
    }

    void addOk(String line) {
        lines.add(line);
    }
}

class Owners {
    Own[] make() {
        List<String> shared = new ArrayList<>();
        return new Own[] {new Own(shared), new Own(shared)};
    }
}

class Filter {
    private final double[] taps;

    Filter(double[] taps) {
        this.taps = taps;
    }

    void gainBad() {
        taps[0] *= 2;  // alias.stored-argument
    }

    static Filter[] two(double[] shared) {
        return new Filter[] {new Filter(shared), new Filter(shared)};
    }
}

class Frame {
    byte[] data;

    Frame(byte[] data) {
        this.data = data;
    }

    void clearBad() {
        data[0] = 0;  // alias.stored-argument
    }
}

class Packet {
    byte[] data;

    Packet(byte[] data) {
        this.data = data;
    }

    void writeOk(int at) {
        data[at] = 1;
    }
}

class Frames {
    static Frame[] two(byte[] shared) {
        byte[] made = new byte[8];
        return new Frame[] {new Frame(made), new Frame(made)};
    }

    static Packet packet(Frame frame) {
        return new Packet(frame.data);
    }
}
