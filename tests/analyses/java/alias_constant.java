class Board {
    private static final char[] START = "rnbq".toCharArray();
    private static final int[] EMPTY = {};
    private static final int[] TABLE = {1, 2};
    private final char[] cells;

    Board(char[] cells) {
        this.cells = cells;
    }

    static Board initial() {
        return new Board(START);
    }

    void moveBad(int from, int to) {
        cells[to] = cells[from];  // alias.shared-constant
    }

    void own() {
        fillBad(TABLE);
        readOk(TABLE);
        emptyOk(EMPTY);
    }

    void fillBad(int[] numbers) {
        numbers[0] = 3;  // alias.shared-constant
    }

    int readOk(int[] numbers) {
        return numbers[0];
    }

    void emptyOk(int[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = 3;
        }
    }
}

class Copied {
    private static final int[] TABLE = {1, 2};
    private final int[] cells;

    Copied(int[] cells) {
        this.cells = cells.clone();
    }

    static Copied initial() {
        return new Copied(TABLE);
    }

    void setOk() {
        cells[0] = 3;
    }
}
