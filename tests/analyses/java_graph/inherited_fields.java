class A {}
class Base { protected Object kept = new A(); }  // calls: A.A, Base.<init>
class Derived extends Base {
    static void look(Object o) {}
    void main() {
        look(kept);  // holds: A
        look(this.kept);  // holds: A
    }
}
