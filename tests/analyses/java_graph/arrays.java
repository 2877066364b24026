class A {}
class B {}
class Main {
    static void look(Object o) {}
    void main() {
        Object[] filled = {new A()};  // calls: A.A
        look(filled[0]);  // holds: A
        Object[] sized = new Object[3];
        sized[1] = new B();  // calls: B.B
        look(sized[2]);  // holds: B
        for (Object o : sized) {
            look(o);  // holds: B
        }
        Object[][] grid = new Object[][] {{new A()}};  // calls: A.A
        look(grid[0][0]);  // holds: A
    }
}
