class Main {
    void put(int n) {}
    void put(String s) {}
    void put(boolean b) {}
    void put(double d) {}
    void put(int n, String s) {}
    void main(int n, String s, Object unknown) {
        put(n);  // calls: Main.put
        put("x");  // calls: Main.put
        put(1, "x");  // calls: Main.put
    }
}
