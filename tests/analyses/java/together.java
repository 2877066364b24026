class Together {
    static String find(String[] names, String wanted) {
        for (String name : names) {
            if (name.equals(wanted)) {
                return name;
            }
        }
        return null;
    }

    void flagOk(String[] names) {
        String found = null;
        boolean there = false;
        if (names.length > 2) {
            found = names[2];
            there = true;
        }
        if (there) {
            found.trim();
        }
    }

    void flagTurnedRoundOk(String[] names) {
        String found = null;
        boolean missing = true;
        if (names.length > 2) {
            found = names[2];
            missing = false;
        }
        if (!missing) {
            found.trim();
        }
    }

    void otherFlagBad(String[] names, boolean there) {
        String found = null;
        boolean set = false;
        if (names.length > 2) {
            found = names[2];
            set = true;
        }
        if (there) {
            found.trim();  // null.method
        }
    }

    void flagBad(String[] names) {
        String found = null;
        boolean there = false;
        if (names.length > 2) {
            found = names[2];
            there = true;
        }
        if (!there) {
            found.trim();  // null.method
        }
    }

    void positionOk(String[] names) {
        String found = null;
        int position = -1;
        if (names.length > 2) {
            found = names[2];
            position = 2;
        }
        if (position >= 0) {
            found.trim();
        }
    }

    void positionBad(String[] names) {
        String found = null;
        int position = -1;
        if (names.length > 2) {
            found = names[2];
            position = 2;
        }
        if (position <= 0) {
            found.trim();  // null.method
        }
    }

    void inLoopOk(String[] names) {
        String first = null;
        boolean there = false;
        for (String name : names) {
            if (name.isEmpty()) {
                first = name;
                there = true;
            }
        }
        if (there) {
            first.trim();
        }
    }

    void resetInLoopBad(String[] names) {
        String first = null;
        boolean there = false;
        for (String name : names) {
            if (name.isEmpty()) {
                first = name;
                there = true;
            } else {
                first = null;
            }
        }
        if (there) {
            first.trim();  // null.method
        }
    }

    void numberOk(String key) {
        String s = null;
        int n = 0;
        if (key.length() > 3) {
            s = "there";
            n = 1;
        }
        if (n == 1) {
            s.trim();
        }
    }

    void twoOk(String[] names) {
        String first = null;
        String second = null;
        if (names.length > 2) {
            first = "a";
            second = names[1];
        }
        if (first != null) {
            second.trim();
        }
    }

    void kindOk(String[] names) {
        String kind = "none";
        String first = null;
        if (names.length > 2) {
            kind = "some";
            first = names[1];
        }
        if (kind == "some") {
            first.trim();
        }
    }

    void calledOk(String[] names) {
        String first = find(names, "a");
        boolean there = first != null;
        if (there) {
            first.trim();
        }
    }

    int bothOrNoneOk(String[] names) {
        String first = find(names, "a");
        String second = find(names, "b");
        if ((first == null) != (second == null)) {
            return 0;
        }
        return first == null ? 0 : second.length();
    }

    int oneOfThemOk(String[] names) {
        String first = find(names, "a");
        String second = find(names, "b");
        if (first == null ^ second == null) {
            return first == null ? second.length() : first.length();
        }
        return 0;
    }

    int bothOrNoneTurnedRoundBad(String[] names) {
        String first = find(names, "a");
        String second = find(names, "b");
        if ((first == null) == (second == null)) {
            return 0;
        }
        return first == null ? 0 : second.length();  // null.method
    }
}
