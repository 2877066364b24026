class Outer {
    static class Nested { void run() {} }
    class Inner {
        void run() {
            helper();  // calls: Outer.helper
            Outer.this.helper();  // calls: Outer.helper
        }
    }
    void helper() {}
    void main() {
        new Nested().run();  // calls: Outer.Nested.Nested, Outer.Nested.run
        new Outer.Nested().run();  // calls: Outer.Nested.Nested, Outer.Nested.run
        new Inner().run();  // calls: Outer.Inner.Inner, Outer.Inner.run
        this.new Inner().run();  // calls: Outer.Inner.Inner, Outer.Inner.run
    }
}
