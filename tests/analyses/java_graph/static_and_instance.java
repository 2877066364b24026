class Util {
    static void help() {}
    void own() {
        help();  // calls: Util.help
        this.other();  // calls: Util.other
        other();  // calls: Util.other
        Util.help();  // calls: Util.help
    }
    void other() {}
    static void main() {
        help();  // calls: Util.help
        new Util().own();  // calls: Util.Util, Util.own
    }
}
