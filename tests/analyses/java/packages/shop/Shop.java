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

    String constantOfAClassInCapitalsOk(String text) {
        String found = IO.OPEN ? text : null;
        return found.trim();
    }

    String methodOfAClassInCapitalsOk(String text) {
        String found = IO.isOpen() ? text : null;
        return found.trim();
    }

    String methodOfAClassInCapitalsBad(String text) {
        String found = IO.isOpen() ? null : text;
        return found.trim();  // null.method
    }

    Item withoutLabel() {
        return new Item("x", null);
    }
}
