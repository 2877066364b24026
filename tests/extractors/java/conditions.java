class Conditions {
    Object both(Object a, Object b, boolean flag) {
        if (a == null && (b != null || !flag)) return b;
        if ((a == null) == (b == null)) return a;
        if (flag ? a == b : a != b) return null;
        if (!(a instanceof String text)) return b;
        if (true) return text;
        return a instanceof Integer number && number > 3 ? number : b;
    }

    record Point(Object x, int y) { }

    Object parts(Object o) {
        if (o instanceof Point(String s, var y) && y > 0) return s;
        else if (o instanceof Other(Point(Object x, int y), String t)) return x;
        return o;
    }

    boolean strict(Object a, boolean b, boolean c) {
        boolean all = a != null & b & !c;
        return a == null | b | c | all;
    }

    String x;

    String scopes(Object o) {
        if (o instanceof String x) x.length();
        return x;
    }
}
