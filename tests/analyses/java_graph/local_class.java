class Main {
    void main(Main captured) {
        class Local {
            void run() {
                captured.target();  // calls: Main.target
            }
        }
        new Local().run();  // calls: Main.main.Local.Local, Main.main.Local.run
    }
    void target() {}
}
