class Base {
    Base(int n) {}
    String name() { return "base"; }
}
class Derived extends Base {
    Derived() {
        super(1);  // calls: Base.Base
    }
    String name() {
        return super.name();  // calls: Base.name
    }
}
class Further extends Derived {
    String other() {
        return name();  // calls: Derived.name
    }
}
