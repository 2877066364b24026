class Switches {
    enum Kind { SMALL, LARGE }

    String old(int n, String s) {
        switch (n) {
            case 1:
            case -2:
                s = "few";
            case 3:
                break;
            default:
                return null;
        }
        switch (s) { case "few" -> s = "many"; case "x", "y" -> { return s; } }
        return s;
    }

    int values(Kind kind) {
        int n = switch (kind) { case SMALL -> 1; case LARGE -> { yield 2; } };
        return switch (n) { case 1: yield n; default: throw new IllegalStateException(); };
    }

    Object patterns(Object o) {
        return switch (o) {
            case null -> "null";
            case String s when s.isEmpty() -> s;
            case Integer i -> i + 1;
            default -> o;
        };
    }
}
