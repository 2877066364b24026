class A {}
class B {}
class Main {
    static void look(Object o) {}
    void main(int n) {
        Object made = switch (n) {
            case 1 -> new A();  // calls: A.A
            case 2, 3 -> {
                yield new B();  // calls: B.B
            }
            default -> throw new IllegalStateException();
        };
        look(made);  // holds: A, B
    }
}
