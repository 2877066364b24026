package shop;

abstract class Base {
    String found() {
        return null;
    }

    String title() {
        return null;
    }

    abstract String kind();

    String viaThisBad() {
        return kind().trim();  // null.method
    }
}

class Derived extends Base {
    String kind() {
        return null;
    }
}
