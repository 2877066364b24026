import static org.hamcrest.Matchers.notNullValue;
import static org.junit.Assert.assertThat;

import org.apache.commons.lang3.Validate;

class Sums {
    int boxedBad() {
        Integer a = null;
        Integer b = 1;
        return a + b;  // null.unboxing
    }

    String textOk() {
        Integer a = null;
        return a + "";
    }

    boolean bothBad() {
        Boolean a = null;
        Boolean b = true;
        return a && b;  // null.unboxing
    }

    private static int twice(int number) {
        return 2 * number;
    }

    private static int sum(int... numbers) {
        return numbers.length;
    }

    private static String shown(Object what) {
        return "";
    }

    private static String shown(int number) {
        return "";
    }

    int passedBad() {
        Integer a = null;
        return twice(a);  // null.unboxing
    }

    int passedAmongOthersBad() {
        Integer a = null;
        return sum(1, a);  // null.unboxing
    }

    String overloadedOk() {
        Integer a = null;
        return shown(a);
    }
}

class Checked {
    private String name;

    void set() {
        name = null;
    }

    static String find(boolean there) {
        return there ? "a" : null;
    }

    void validatedOk(boolean there) {
        String found = find(there);
        Validate.notEmpty(found, "nothing");
        found.trim();
    }

    void otherNamesBad(boolean there) {
        String found = find(there);
        notEmpty(found);
        found.trim();  // null.method
    }

    void notEmpty(String text) {
    }

    void assertedOk(boolean there) {
        String found = find(there);
        assertThat(found).as("found").isNotNull();
        found.trim();
    }

    void matchedOk(boolean there) {
        String found = find(there);
        assertThat(found, notNullValue());
        found.trim();
    }

    void matchedOtherwiseBad(boolean there) {
        String found = find(there);
        assertThat(found, not(instanceOf(String.class)));
        found.trim();  // null.method
    }

    class Inner {
        void outerOk() {
            if (Checked.this.name != null) {
                name.trim();
            }
        }

        void ownOk() {
            if (name != null) {
                Checked.this.name.trim();
            }
        }

        void nothingBad() {
            Checked.this.name.trim();  // null.method
        }
    }

    void switchOk() {
        String text;
        switch (6) {
            case 6:
                text = "a";
                break;
            default:
                text = null;
        }
        text.trim();
    }

    void switchBad() {
        String text;
        switch (5) {
            case 6:
                text = "a";
                break;
            default:
                text = null;
                break;
        }
        text.trim();  // null.method
    }

    void fallsThroughBad() {
        String text = "a";
        switch (6) {
            case 6:
                System.out.println();
            case 7:
                text = null;
        }
        text.trim();  // null.method
    }
}
