package shop.store;

public record Item(String name, String label) {
    public String shownOk() {
        return label.trim();
    }

    public String fnNullLabel(Item other) {
        return other.label.trim();  // missed: null.method
    }
}
