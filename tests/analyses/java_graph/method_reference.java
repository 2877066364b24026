interface Action { void act(String s); }
class Main {
    void one(String s) {}
    static void two(String s) {}
    void take(Action action) {
        action.act("x");  // calls: Action.act, Main.one, Main.two
    }
    void main() {
        take(this::one);  // calls: Main.take
        take(Main::two);  // calls: Main.take
    }
}
