class Literals {
    String localBad() {
        String s = null;
        return s.trim();  // null.method
    }

    int fieldOfNullBad() {
        Literals other = null;
        return other.size;  // null.attribute
    }

    int size;

    void storeBad() {
        Literals other = null;
        other.size = 1;  // null.attribute
    }

    int lengthBad() {
        int[] numbers = null;
        return numbers.length;  // null.attribute
    }

    int elementBad() {
        int[] numbers = null;
        return numbers[0];  // null.subscript
    }

    void elementStoreBad() {
        int[] numbers = null;
        numbers[0] = 1;  // null.subscript
    }

    void throwBad() {
        RuntimeException e = null;
        throw e;  // null.throw
    }

    void lockBad() {
        Object lock = null;
        synchronized (lock) {  // null.lock
            System.out.println();
        }
    }

    void assignedOk() {
        String s = null;
        s = "there";
        s.trim();
    }

    void oneBranchBad(boolean b) {
        String s = null;
        if (b) {
            s = "there";
        }
        s.trim();  // null.method
    }

    void everyBranchOk(boolean b) {
        String s = null;
        if (b) {
            s = "a";
        } else {
            s = "b";
        }
        s.trim();
    }

    void usedOnceBad() {
        String s = null;
        s.trim();  // null.method
        s.length();
    }

    void concatenatedOk() {
        String s = null;
        System.out.println("s: " + s);
        System.out.println(s + 1);
    }

    void castBad() {
        Object o = null;
        ((String) o).trim();  // null.method
    }
}
