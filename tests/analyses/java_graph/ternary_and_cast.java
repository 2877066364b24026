class A { void use() {} }
class B extends A { void use() {} }
class Main {
    static void look(Object o) {}
    Object any() { return new B(); }  // calls: B.B
    void main(boolean b) {
        look(b ? new A() : new B());  // calls: A.A, B.B  // holds: A, B
        Object o = new B();  // calls: B.B
        ((B) o).use();  // calls: B.use
        A cast = (A) any();  // calls: Main.any
        cast.use();  // calls: A.use, B.use
    }
}
