package shop.store;

import java.util.List;

public class Store {
    private List<Item> items;

    public Item find(String name) {
        for (Item item : items) {
            if (item.name().equals(name)) {
                return item;
            }
        }
        return null;
    }

    public Item first() {
        return items.get(0);
    }

    public static Item none() {
        return null;
    }

    public static class Inner {
        public String text() {
            return null;
        }
    }
}
