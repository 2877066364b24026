// What constants and comparisons say of numbers.
class Numbers {
    int apartOk(int number) {
        String text = "";
        if (number > 10) {
            text = null;
        }
        if (number == 10) {
            return text.length();
        }
        return 0;
    }

    int meetBad(int number) {
        String text = "";
        if (number > 10) {
            text = null;
        }
        if (number == 12) {
            return text.length();  // null.method
        }
        return 0;
    }

    int multipleOk(int number) {
        String text = "";
        if (number > 10) {
            text = null;
        }
        if (2 * number + 1 == 21) {
            return text.length();
        }
        return 0;
    }

    int changedBad(int number) {
        String text = "";
        if (number > 10) {
            text = null;
        }
        number--;
        if (number == 10) {
            return text.length();  // null.method
        }
        return 0;
    }

    int setBad(int number) {
        String text = "";
        if (number > 10) {
            text = null;
        }
        number = number - 1;
        if (number == 10) {
            return text.length();  // null.method
        }
        return 0;
    }

    int negativeOk(int number) {
        String text = null;
        if (-number > 3 && number > -3) {
            return text.length();
        }
        return 0;
    }

    int negativeBad(int number) {
        String text = null;
        if (-number > 3 && number > -5) {
            return text.length();  // null.method
        }
        return 0;
    }

    int oddOk(int number) {
        String text = null;
        return 2 * number == 7 ? text.length() : 0;
    }

    int loopBad(int end) {
        String text = null;
        for (int index = 0; index < end; index++) {
            if (index == 3) {
                return text.length();  // null.method
            }
        }
        return 0;
    }

    int pastLoopOk(int end) {
        String text = null;
        for (int index = 0; index < 10; index++) {
            if (index >= 10) {
                return text.length();
            }
        }
        return 0;
    }

    int lastInLoopBad(int end) {
        String text = null;
        int last = 0;
        while (end-- > 0) {
            if (last == 4) {
                return text.length();  // null.method
            }
            last += 1;
        }
        return 0;
    }

    int boxedOk() {
        Integer one = new Integer(42);
        Integer other = new Integer(42);
        String text = null;
        if (!one.equals(other) || one != 42) {
            return text.length();
        }
        return 0;
    }

    // Two objects that hold one number are not the same.
    int objectsBad() {
        Integer one = new Integer(42);
        Integer other = new Integer(42);
        String text = null;
        if (one != other) {
            return text.length();  // null.method
        }
        return 0;
    }

    int refusedOk() {
        int age = -18;
        String text = null;
        checkArgument(age > 0);
        return text.length();
    }

    int passedBad() {
        int age = 18;
        String text = null;
        checkArgument(age > 0);
        return text.length();  // null.method
    }

    static void checkArgument(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException();
        }
    }
}
