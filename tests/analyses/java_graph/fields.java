class A {}
class B {}
class Holder {
    Object kept;
    static Object shared;
    Holder(Object kept) { this.kept = kept; }
    Object get() { return kept; }
}
class Main {
    static void look(Object o) {}
    void main() {
        Holder holder = new Holder(new A());  // calls: Holder.Holder, A.A
        look(holder.kept);  // holds: A
        look(holder.get());  // calls: Holder.get  // holds: A
        Holder.shared = new B();  // calls: B.B
        look(Holder.shared);  // holds: B
    }
}
