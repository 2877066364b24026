class A {}
class Box<T> {
    private T content;
    void put(T content) { this.content = content; }
    T get() { return content; }
}
class Main {
    static void look(Object o) {}
    void main() {
        Box<A> box = new Box<>();  // calls: Box.Box
        box.put(new A());  // calls: Box.put, A.A
        look(box.get());  // calls: Box.get  // holds: A
    }
}
