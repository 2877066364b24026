class A {}
class B {}
class C {}
class Main {
    static void look(Object o) {}
    void main(int n) {
        Object o = new A();  // calls: A.A
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (j == 2) {
                    o = new B();  // calls: B.B
                    break outer;
                }
                if (j == 3) {
                    continue outer;
                }
                o = new C();  // calls: C.C
            }
            look(o);  // holds: A, C
        }
        look(o);  // holds: A, B, C
    }
}
