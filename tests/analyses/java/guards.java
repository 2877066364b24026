import java.util.Map;
import java.util.Objects;

class Guards {
    Map<String, String> map;

    String unequalOk(String key) {
        String s = map.get(key);
        if (s != null) {
            return s.trim();
        }
        return "";
    }

    String turnedRoundOk(String key) {
        String s = map.get(key);
        return null == s ? "" : s.trim();
    }

    String earlyReturnOk(String key) {
        String s = map.get(key);
        if (s == null) return "";
        return s.trim();
    }

    String earlyThrowOk(String key) {
        String s = map.get(key);
        if (s == null) {
            throw new IllegalArgumentException(key);
        }
        return s.trim();
    }

    boolean andOk(String key) {
        String s = map.get(key);
        return s != null && s.isEmpty();
    }

    boolean orOk(String key) {
        String s = map.get(key);
        return s == null || s.isEmpty();
    }

    boolean orBad(String key) {
        String s = map.get(key);
        return s != null || s.isEmpty();  // null.method
    }

    boolean andBad(String key) {
        String s = map.get(key);
        return s == null && s.isEmpty();  // null.method
    }

    String notOk(String key) {
        String s = map.get(key);
        if (!(s == null)) {
            return s.trim();
        }
        return "";
    }

    String wrongBranchBad(String key) {
        String s = map.get(key);
        if (s == null) {
            return s.trim();  // null.method
        }
        return "";
    }

    String loopOk(String key) {
        String s = map.get(key);
        while (s != null && s.length() > 3) {
            s = s.substring(1);
        }
        return "";
    }

    String continueOk(String[] keys) {
        for (String key : keys) {
            String s = map.get(key);
            if (s == null) {
                continue;
            }
            s.trim();
        }
        return "";
    }

    String assertOk(String key) {
        String s = map.get(key);
        assert s != null : "there";
        return s.trim();
    }

    String requireNonNullOk(String key) {
        String s = map.get(key);
        Objects.requireNonNull(s, "there");
        return s.trim();
    }

    String requiredResultOk(String key) {
        return Objects.requireNonNull(map.get(key)).trim();
    }

    String requireElseOk(String key) {
        return Objects.requireNonNullElse(map.get(key), "").trim();
    }

    String nonNullOk(String key) {
        String s = map.get(key);
        if (Objects.nonNull(s)) {
            return s.trim();
        }
        return "";
    }

    String isNullOk(String key) {
        String s = map.get(key);
        if (Objects.isNull(s)) {
            return "";
        }
        return s.trim();
    }

    String checkArgumentOk(String key) {
        String s = map.get(key);
        Preconditions.checkArgument(s != null, "there");
        return s.trim();
    }

    String checkNotNullOk(String key) {
        String s = Preconditions.checkNotNull(map.get(key));
        return s.trim();
    }

    String assertTrueOk(String key) {
        String s = map.get(key);
        Assert.isTrue(s != null && s.length() > 1, "there");
        return s.trim();
    }

    String notEmptyOk(String key) {
        String s = map.get(key);
        if (StringUtils.isNotEmpty(s)) {
            return s.trim();
        }
        return "";
    }

    String nullOrEmptyOk(String key) {
        String s = map.get(key);
        if (Strings.isNullOrEmpty(s)) {
            return "";
        }
        return s.trim();
    }

    boolean equalsOk(String key) {
        String s = map.get(key);
        return "x".equals(s) && s.isEmpty();
    }

    boolean comparedOk(String key, String other) {
        String s = map.get(key);
        if (s == "x") {
            return s.isEmpty();
        }
        return false;
    }

    boolean flagOk(String key) {
        String s = map.get(key);
        boolean there = s != null;
        return there && s.isEmpty();
    }

    String sameTestTwiceOk(String key) {
        String s = map.get(key);
        String t = null;
        if (s != null) {
            t = s.trim();
        }
        if (s != null) {
            return t.trim();
        }
        return "";
    }

    String reassignedBad(String key) {
        String s = map.get(key);
        if (s != null) {
            s = map.get(s);
            return s.trim();  // null.method
        }
        return "";
    }

    String containsKeyOk(String key) {
        if (map.containsKey(key)) {
            return map.get(key).trim();
        }
        return "";
    }

    private final Map<String, String> own = new java.util.HashMap<>();

    String containsKeyOfFinalFieldOk(String key) {
        if (!own.containsKey(key)) {
            return "";
        }
        return own.get(key).trim();
    }

    String containsOtherKeyBad(String key, String other) {
        if (map.containsKey(other)) {
            return map.get(key).trim();  // null.method
        }
        return "";
    }

    String testedCallOk(String key) {
        if (map.get(key) != null) {
            return map.get(key).trim();
        }
        return "";
    }

    String bothSidesOk(String key, boolean on) {
        String found = map.get(key);
        if (found != null & !on) {
            return found.trim();
        }
        return "";
    }

    String threeSidesOk(String key, boolean on, boolean off) {
        String found = map.get(key);
        if (on & found != null & !off) {
            return found.trim();
        }
        return "";
    }

    String threeSidesBad(String key, boolean on, boolean off) {
        String found = map.get(key);
        if (on | found != null | off) {
            return found.trim();  // null.method
        }
        return "";
    }

    String bothSidesKeptOk(String key, boolean on) {
        String found = map.get(key);
        boolean missing = found == null | (on & !key.isEmpty());
        return missing ? "" : found.trim();
    }

    String oneSideBad(String key, boolean on) {
        String found = map.get(key);
        if (found != null | !on) {
            return found.trim();  // null.method
        }
        return "";
    }

    String oneSideKeptBad(String key, boolean on) {
        String found = map.get(key);
        boolean missing = found == null & on;
        return missing ? "" : found.trim();  // null.method
    }

    int bitsBad(String key, int bits) {
        String found = map.get(key);
        if ((bits & 4) == 0) {
            return found.length();  // null.method
        }
        return 0;
    }
}
