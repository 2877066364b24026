interface Named { default String name() { return "?"; } }
class Plain implements Named {}
class Own implements Named { public String name() { return "own"; } }
class Main {
    void main(Named any) {
        new Plain().name();  // calls: Plain.Plain, Named.name
        new Own().name();  // calls: Own.Own, Own.name
        any.name();  // calls: Named.name, Own.name
    }
}
