class Chain {
    final Chain rest;

    Chain(int length) {
        if (length == 0) {
            rest = null;
        } else {
            rest = new Chain(length - 1);
        }
    }
}

class Ring {
    Ring next = this;

    void join(Ring other) {
        next = other;
    }
}

class Links {
    static void chain(int n) {
        Chain chain = new Chain(10);
        for (int i = 0; i < n; i++) {
            chain = chain.rest;
        }
        ask(chain, chain.rest);  // apart
        ask(chain, chain.rest.rest);  // apart
    }

    static void ring(int n) {
        Ring ring = new Ring();
        ring.join(new Ring());
        for (int i = 0; i < n; i++) {
            ring = ring.next;
        }
        ask(ring, ring.next);  // one
    }

    static void ask(Object a, Object b) {}
}
