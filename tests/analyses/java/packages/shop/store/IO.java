package shop.store;

public class IO {
    public static final boolean OPEN = true;

    public static boolean isOpen() {
        return true;
    }
}
