class Res implements AutoCloseable {
    void use() {}
    public void close() {}
}
class Main {
    static Res open() { return new Res(); }  // calls: Res.Res
    void main() {
        try (Res res = open()) {  // calls: Main.open, Res.close
            res.use();  // calls: Res.use
        } catch (IllegalStateException e) {
            clean();  // calls: Main.clean
        } finally {
            done();  // calls: Main.done
        }
    }
    void clean() {}
    void done() {}
}
