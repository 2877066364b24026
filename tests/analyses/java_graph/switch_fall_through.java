class A {}
class B {}
class C {}
class Main {
    static void look(Object o) {}
    void main(String s) {
        Object made = new A();  // calls: A.A
        switch (s) {
            case "b":
                made = new B();  // calls: B.B
            case "fall":
                look(made);  // holds: A, B
                break;
            case "c":
                made = new C();  // calls: C.C
                look(made);  // holds: C
                break;
            default:
                look(made);  // holds: A
        }
        look(made);  // holds: A, B, C
    }
}
