import java.util.Map;

class Control {
    Map<String, String> map;

    void finallyBad(String key) {
        String s = null;
        try {
            s = map.get(key);
        } finally {
            s.trim();  // null.method
        }
    }

    void caughtOk(String key) {
        String s = map.get(key);
        try {
            s.trim();
        } catch (NullPointerException e) {
            System.out.println(e);
        }
    }

    String exceptionBad() {
        String s = null;
        try {
            s = map.toString();
        } catch (IllegalStateException e) {
            System.out.println(e);
        }
        return s.trim();  // null.method
    }

    String exceptionReturnsOk() {
        String s = null;
        try {
            s = map.toString();
        } catch (IllegalStateException e) {
            return "";
        }
        return s.trim();
    }

    void doWhileBad(int n) {
        String s = null;
        do {
            s.trim();  // null.method
            s = "there";
        } while (n > 3);
    }

    void forOk(int n) {
        String s = null;
        for (int i = 0; i < n; i++) {
            if (i == 0) {
                s = "first";
            }
            if (s == null) {
                continue;
            }
            s.trim();
        }
    }

    void foundInLoopBad(String[] words) {
        String found = null;
        for (String word : words) {
            if (word.isEmpty()) {
                found = word;
                break;
            }
        }
        found.trim();  // null.method
    }

    void labelledOk(int n) {
        String s = null;
        outer:
        while (true) {
            for (int i = 0; i < n; i++) {
                if (i == 2) {
                    s = "there";
                    break outer;
                }
            }
        }
        s.trim();
    }

    void fallThroughBad(int n) {
        String s = null;
        switch (n) {
            case 1:
                s = "one";
            case 2:
                s.trim();  // null.method
                break;
            default:
                break;
        }
    }

    void everyCaseOk(int n) {
        String s;
        switch (n) {
            case 1:
                s = "one";
                break;
            default:
                s = "more";
        }
        s.trim();
    }

    String switchValueBad(int n) {
        String s = switch (n) {
            case 1 -> "one";
            case 2 -> null;
            default -> {
                yield "more";
            }
        };
        return s.trim();  // null.method
    }

    String caseNullOk(String key) {
        return switch (map.get(key)) {
            case null -> "";
            case "x" -> "y";
            default -> "z";
        };
    }

    int caseNullGuardOk(String key) {
        String s = map.get(key);
        switch (s) {
            case null:
                return 0;
            default:
                return s.length();
        }
    }

    String ternaryBad(boolean b) {
        String s = b ? "there" : null;
        return s.trim();  // null.method
    }

    int patternOk(String key) {
        Object o = map.get(key);
        if (o instanceof String s) {
            return s.length() + o.hashCode();
        }
        return 0;
    }

    int patternTurnedRoundOk(String key) {
        Object o = map.get(key);
        if (!(o instanceof String s)) {
            return 0;
        }
        return s.length() + o.hashCode();
    }

    int patternElseBad(String key) {
        Object o = map.get(key);
        if (o instanceof String s) {
            return s.length();
        }
        return o.hashCode();  // null.method
    }

    void resourceMayBeNullOk() throws Exception {
        try (AutoCloseable c = null) {
            System.out.println();
        }
    }

    void resourceBad() throws Exception {
        try (java.io.InputStream in = Control.class.getResourceAsStream("x")) {
            in.read();  // null.method
        }
    }

    void lambdaBad(String key) {
        String s = map.get(key);
        Runnable later = () -> s.trim();  // null.method
        later.run();
    }

    void lambdaOk(String key) {
        String s = map.get(key);
        if (s != null) {
            Runnable later = () -> s.trim();
            later.run();
        }
    }

    void anonymousBad(String key) {
        final String s = map.get(key);
        new Thread(new Runnable() {
            public void run() {
                s.trim();  // null.method
            }
        });
    }

    void ifOfABoxBad(Map<String, Boolean> flags) {
        if (flags.get("x")) {  // null.unboxing
            System.out.println();
        }
    }

    void notOfABoxBad(Map<String, Boolean> flags) {
        if (!flags.get("x")) {  // null.unboxing
            System.out.println();
        }
    }

    int indexBad(Map<String, Integer> at, int[] numbers) {
        return numbers[at.get("x")];  // null.unboxing
    }

    void assignedBoxBad(Map<String, Integer> at) {
        int n = 0;
        n = at.get("x");  // null.unboxing
    }

    boolean equalToANumberBad(Map<String, Integer> at) {
        return at.get("x") == 1;  // null.unboxing
    }

    String namedFieldOk(Control other) {
        if (other.map == null) {
            return "";
        }
        return other.map.toString();
    }

    String optionalOk(String key) {
        return java.util.Optional.ofNullable(map.get(key)).map(String::trim).orElse("");
    }
}
