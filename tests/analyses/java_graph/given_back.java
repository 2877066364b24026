class A {}
class B {}
class C {}
class Main {
    static <T> T checked(T t) {
        if (t == null) {
            throw new NullPointerException();
        }
        return t;
    }
    static Object either(Object first, Object second, boolean which) {
        Object made = new C();  // calls: C.C
        return which ? first : second == null ? made : second;
    }
    static void look(Object o) {}
    void main() {
        look(checked(new A()));  // calls: Main.checked, A.A  // holds: A
        look(checked(new B()));  // calls: Main.checked, B.B  // holds: B
        look(either(new A(), null, true));  // calls: Main.either, A.A  // holds: A, C
        look(either(null, new B(), true));  // calls: Main.either, B.B  // holds: B, C
    }
}
