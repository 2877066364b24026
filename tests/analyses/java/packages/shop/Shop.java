package shop;

import static shop.store.Store.none;

import shop.store.*;
import shop.store.Store.Inner;

class Shop extends Base {
    private final Store store;

    Shop(Store store) {
        this.store = store;
    }

    String otherPackageBad(String name) {
        return store.find(name).name();  // null.method
    }

    String firstOk() {
        return store.first().name();
    }

    String staticImportBad() {
        return none().name();  // null.method
    }

    String qualifiedNameBad() {
        return shop.store.Store.none().name();  // null.method
    }

    String importedInnerBad() {
        return new Inner().text().trim();  // null.method
    }

    String inheritedBad() {
        return found().trim();  // null.method
    }

    String overriddenOk() {
        return title().trim();
    }

    String title() {
        return "shop";
    }

    Item withoutLabel() {
        return new Item("x", null);
    }
}
