class A { void use() {} }
record Pair(A first, A second) {}
class Main {
    static void look(Object o) {}
    void instance(Object o) {
        if (o instanceof A a) {
            a.use();  // calls: A.use
        }
        if (o instanceof Pair(A first, var second)) {
            first.use();  // calls: A.use
        }
    }
    void chosen(Object o) {
        switch (o) {
            case A a when a.hashCode() > 1 -> a.use();  // calls: A.use
            case Pair(A first, A second) -> second.use();  // calls: A.use
            default -> {}
        }
    }
}
