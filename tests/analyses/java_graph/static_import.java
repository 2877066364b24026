import static java.util.Collections.emptyList;
class Main {
    static void look(Object o) {}
    void main() {
        look(emptyList());  // holds: java.util.ImmutableCollections.List
    }
}
