class Main {
    void target() {}
    void main() throws Exception {
        Main.class.getMethod("target").invoke(this);  // calls: none
    }
}
