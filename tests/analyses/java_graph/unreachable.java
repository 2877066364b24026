class Main {
    void a() {}
    int main() {
        while (true) {
            if (hashCode() > 1) {
                return 1;
            }
            a();  // calls: Main.a
        }
    }
    void block() {
        done: {
            if (hashCode() > 1) break done;
            a();  // calls: Main.a
        }
        a();  // calls: Main.a
    }
}
