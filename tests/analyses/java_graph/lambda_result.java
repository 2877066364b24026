interface Maker { Thing make(); }
class Thing { void use() {} }
class Main {
    static void look(Object o) {}
    void main() {
        Thing captured = new Thing();  // calls: Thing.Thing
        Maker maker = () -> captured;
        look(maker.make());  // calls: Main.main.<lambda>  // holds: Thing
        Runnable block = () -> {
            captured.use();  // calls: Thing.use
        };
        block.run();  // calls: Main.main.<lambda>
    }
}
