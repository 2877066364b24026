class Boxes {
    Integer boxed;
    int plain;

    int take(int a, Integer b) {
        int x = b;
        x += boxed;
        plain = boxed;
        double d = boxed * 2;
        boolean less = a < boxed;
        boolean same = a == b;
        boolean identical = boxed == b;
        take(b, b);
        int[] all = {b, 1};
        all[boxed] = 2;
        Boolean flag = null;
        if (flag) return boxed;
        int chosen = flag != null ? a : b;
        String text = "n" + boxed + a;
        for (int each : java.util.List.of(1)) x = x + each;
        return (int) boxed;
    }
}
