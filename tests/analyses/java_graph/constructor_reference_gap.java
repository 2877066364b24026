interface Maker { Thing make(); }
class Thing {}
class Main {
    void main() {
        Maker maker = Thing::new;
        maker.make();  // calls: none
    }
}
