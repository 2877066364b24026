class Node { Node next; void use() {} }
class Main {
    static void look(Object o) {}
    void main(Node first) {
        for (Node node = first; node != null; node = node.next) {
            node.use();  // calls: Node.use
        }
        Node at = first;
        do {
            at = at.next;
            look(at);  // holds: Node
        } while (at != null);
    }
}
