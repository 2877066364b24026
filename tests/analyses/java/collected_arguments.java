import java.lang.reflect.Method;

// A parameter that collects arguments is an array, and null if a call passes a null array for it.
class CollectedArguments {
    static int countBad(String... names) {
        return names.length;  // null.attribute
    }

    static int countOk(String... names) {
        return names.length;
    }

    static int sizeBad(int start, byte... bytes) {
        return start + bytes.length;  // null.attribute
    }

    static String[] names(boolean some) {
        return some ? new String[] {"a"} : null;
    }

    static void pass(boolean some, String name) {
        countBad(names(some));
        String[] given = names(some);
        countBad(given);
        countOk(null, null);
        countOk(name, null);
        countOk();
    }

    static void reflect(Method method, Object target) throws Exception {
        sizeBad(3, (byte[]) method.invoke(target));
    }

    static boolean unboxedOk(Method method, Object target) throws Exception {
        return (Boolean) method.invoke(target) && (boolean) method.invoke(target);
    }

    static String resultBad(Method method, Object target) throws Exception {
        return method.invoke(target).toString();  // null.method
    }
}
