class Main {
    private final Object lock = new Object();
    synchronized void one() {}
    void main() {
        synchronized (lock) {
            one();  // calls: Main.one
        }
    }
}
