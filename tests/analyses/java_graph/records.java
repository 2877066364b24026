class A {}
record Pair(A first, Object second) {
    static void look(Object o) {}
    Pair {
        check(first);  // calls: Pair.check
    }
    static void check(Object o) {}
    void main() {
        Pair pair = new Pair(new A(), new A());  // calls: Pair.Pair, A.A
        look(pair.first());  // calls: Pair.first  // holds: A
        look(second);  // holds: A
    }
}
