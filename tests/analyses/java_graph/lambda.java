interface Action { void act(String s); }
class Main {
    void take(Action action) {
        action.act("x");  // calls: Action.act, Main.main.<lambda>
    }
    void target() {}
    void main() {
        take(s -> target());  // calls: Main.take, Main.target
    }
}
