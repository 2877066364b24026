class Builder {
    Builder name(String name) { return this; }
    Builder size(int n) { return this; }
    Thing build() { return new Thing(); }  // calls: Thing.Thing
}
class Thing {}
class Main {
    static void look(Object o) {}
    void main() {
        look(new Builder().name("x").size(3).build());  // calls: Builder.Builder, Builder.name, Builder.size, Builder.build  // holds: Thing
    }
}
