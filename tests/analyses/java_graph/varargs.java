class A {}
class Main {
    static void look(Object o) {}
    void all(String first, A... rest) {
        for (A a : rest) {
            look(a);  // holds: A
        }
        look(rest);  // holds: java.lang.Object[]
    }
    void main() {
        all("x");  // calls: Main.all
        all("x", new A(), new A());  // calls: Main.all, A.A
    }
}
