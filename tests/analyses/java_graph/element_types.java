import java.util.List;
class A { void use() {} }
class Main {
    void main(List<A> given) {
        for (A a : given) {
            a.use();  // calls: A.use
        }
        A first = given.get(0);
        first.use();  // calls: A.use
    }
}
