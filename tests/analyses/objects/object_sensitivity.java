class Item {}

class Holder {
    private Item item = new Item();
    private Item spare;
    private final Holder inner;

    Holder(Item item) {
        this.item = item;
        this.inner = null;
    }

    Holder() {
        this.inner = null;
    }

    Item item() {
        return item;
    }

    Item spare() {
        return spare;
    }

    void put(Item item) {
        this.item = item;
    }

    void putIf(Item item, boolean now) {
        if (now) {
            this.item = item;
        }
    }
}

class Special extends Holder {
    Special(Item item) {
        super(item);
    }
}

class ObjectSensitivity {
    static void constructors() {
        Item x = new Item();
        Item y = new Item();
        Holder a = new Holder(x);
        Holder b = new Holder(y);
        ask(a.item(), x);  // one
        ask(a.item(), y);  // apart
        ask(a.item(), b.item());  // apart
    }

    static void initialisers() {
        Holder a = new Holder();
        Holder b = new Holder();
        ask(a.item(), b.item());  // apart
        ask(a.item(), a.item());  // one
    }

    static void baseClass() {
        Item x = new Item();
        Item y = new Item();
        Special a = new Special(x);
        ask(a.item(), x);  // one
        a.put(y);
        ask(a.item(), y);  // one
        ask(a.item(), x);  // apart
    }

    static void neverSet() {
        Holder a = new Holder();
        ask(a.spare(), a.spare());  // apart
    }

    static void perhapsSet(boolean now) {
        Item x = new Item();
        Item y = new Item();
        Holder a = new Holder(x);
        a.putIf(y, now);
        ask(a.item(), x);  // one
        ask(a.item(), y);  // one
    }

    static void ask(Object a, Object b) {}
}
