class Part {}

class Made {
    Part part = new Part();
    Part other;

    static Made make() {
        return new Made();
    }

    static Made with(Part part) {
        Made made = new Made();
        made.part = part;
        return made;
    }

    static Part same(Part part) {
        return part;
    }

    static Part sameOfSame(Part part) {
        return same(part);
    }
}

class CallSites {
    static Made cached;

    static void factory() {
        Made a = Made.make();
        Made b = Made.make();
        ask(a, b);  // apart
        ask(a.part, b.part);  // gap: two calls deep
        ask(a.part, a.part);  // one
    }

    static void factoryWithArgument() {
        Part p = new Part();
        Part q = new Part();
        Made a = Made.with(p);
        Made b = Made.with(q);
        ask(a.part, p);  // one
        ask(a.part, q);  // apart
        ask(a.part, b.part);  // apart
    }

    static void givenBack() {
        Part p = new Part();
        Part q = new Part();
        Part r = Made.sameOfSame(p);
        Part s = Made.sameOfSame(q);
        ask(r, p);  // one
        ask(r, s);  // apart
        ask(s, q);  // one
    }

    static Made onlyOnce() {
        if (cached == null) {
            cached = new Made();
        }
        return cached;
    }

    static void notNewEachTime() {
        Made a = onlyOnce();
        Made b = onlyOnce();
        ask(a, b);  // one
    }

    static Part recursive(int n, Part part) {
        return n == 0 ? part : recursive(n - 1, part);
    }

    static void throughRecursion() {
        Part p = new Part();
        Part q = new Part();
        ask(recursive(3, p), p);  // one
        ask(recursive(3, p), q);  // apart
    }

    static void ask(Object a, Object b) {}
}
