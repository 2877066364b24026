class Box { Object content; Box next; }

class AllocationSites {
    static void twoOfOneClass() {
        Box a = new Box();
        Box b = new Box();
        ask(a, b);  // apart
        ask(a, a);  // one
    }

    static void joined(boolean first) {
        Box a = new Box();
        Box b = new Box();
        Box c = first ? a : b;
        ask(a, c);  // one
        ask(b, c);  // one
        ask(a, b);  // apart
    }

    static void madeInALoop(int n) {
        Box last = null;
        for (int i = 0; i < n; i++) {
            Box made = new Box();
            ask(last, made);  // one
            last = made;
        }
    }

    static Box shared = new Box();

    static void sharedVariable() {
        Box own = new Box();
        Box other = new Box();
        shared = own;
        ask(shared, own);  // one
        ask(shared, other);  // apart
    }

    static void ofTheCaller(Box given, Box other) {
        Box own = new Box();
        ask(given, own);  // apart
        ask(given, other);  // one
    }

    static void callsIt() {
        Box box = new Box();
        ofTheCaller(box, box);
    }

    static void distinct(Box given, Box other) {
        ask(given, other);  // apart
    }

    static void callsThat() {
        distinct(new Box(), new Box());
    }

    static void fromNowhere(Box given, Box other) {
        ask(given, other);  // one
    }

    static void fromNowhereOfTwoClasses(Box given, AllocationSites other) {
        ask(given, other);  // apart
    }

    static void ask(Object a, Object b) {}
}
