class A {}
class B {}
class Main {
    static void look(Object o) {}
    Object pick(int n) { return new A(); }  // calls: A.A
    Object pick(String s) { return new B(); }  // calls: B.B
    void main(int n, String s, Object unknown) {
        look(pick(n));  // calls: Main.pick  // holds: A
        look(pick(s));  // calls: Main.pick  // holds: B
        look(pick(n + 1));  // calls: Main.pick  // holds: A
        look(pick(unknown));  // calls: Main.pick  // holds: A, B
    }
}
