import java.util.ArrayList;
import java.util.Date;
import java.util.List;

class Recipe {
    private final List<String> steps = new ArrayList<>();
    private final int[] counts = {1, 2, 3};
    private final Date due = new Date();

    List<String> steps() {
        return steps;
    }

    List<String> copy() {
        return new ArrayList<>(steps);
    }

    int[] counts() {
        return counts;
    }

    int[] countsCopy() {
        return counts.clone();
    }

    Date due() {
        return due;
    }

    void listBad() {
        List<String> shown = steps();
        shown.add("more");  // alias.exposed-internal
    }

    void listCopyOk() {
        List<String> shown = copy();
        shown.add("more");
    }

    void readOk() {
        List<String> shown = steps();
        shown.size();
    }

    void arrayBad() {
        int[] mine = counts();
        mine[0] = 4;  // alias.exposed-internal
    }

    void arrayCopyOk() {
        int[] mine = countsCopy();
        mine[0] = 4;
    }

    void dateBad() {
        Date moved = due();
        moved.setTime(0);  // alias.exposed-internal
    }
}

interface Told {
    String told(String key);
}

class Held implements Told {
    private final StringBuilder text = new StringBuilder();

    StringBuilder text() {
        return text;
    }

    public String told(String key) {
        return text.append(key).toString();
    }
}

class Plain implements Told {
    private String text;

    public String told(String key) {
        return text;
    }
}

class Asks {
    Told told;

    String ofAStringOk(String key) {
        String said = told.told(key);
        return said.replaceAll("a", "b");
    }
}
