class Parts {
    static final Parts ONE = new Parts();  // calls: Parts.Parts
    private final Wheel wheel = make();  // calls: Parts.make
    static { prepare(); }  // calls: Parts.prepare
    { finish(); }  // calls: Parts.finish
    static void prepare() {}
    void finish() {}
    Wheel make() {
        return new Wheel();  // calls: Wheel.Wheel
    }
    static void look(Object o) {}
    void main() {
        look(wheel);  // holds: Wheel
        look(ONE);  // holds: Parts
        look(Parts.ONE);  // holds: Parts
    }
}
class Wheel {}
