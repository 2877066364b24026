interface Resolver {
    String resolve(String host);

    default String orNull(String host) {
        return null;
    }
}

class Sure implements Resolver {
    public String resolve(String host) {
        return host;
    }
}

class Unsure implements Resolver {
    public String resolve(String host) {
        return host.isEmpty() ? null : host;
    }
}

class Client {
    private final Resolver resolver;

    Client(Resolver resolver) {
        this.resolver = resolver;
    }

    String declaredBad() {
        return resolver.resolve("x").trim();  // null.method
    }

    String madeOk() {
        Resolver own = new Sure();
        return own.resolve("x").trim();
    }

    String madeBad() {
        Resolver own = new Unsure();
        return own.resolve("x").trim();  // null.method
    }

    String defaultBad() {
        return new Sure().orNull("x").trim();  // null.method
    }

    String anonymousOk() {
        Resolver own = new Resolver() {
            public String resolve(String host) {
                return host;
            }
        };
        return own.resolve("x").trim();
    }

    interface Reader {
        String read(String in);

        default int write(String out) {
            return 0;
        }
    }

    static class Careless implements Reader {
        public String read(String in) {
            return null;
        }

        public int write(String out) {
            return out.length();
        }
    }

    static class Careful implements Reader {
        public String read(String in) {
            return in;
        }

        public int write(String out) {
            return out == null ? 0 : out.length();
        }
    }

    static class Quiet implements Reader {
        public String read(String in) {
            return "";
        }

        public int write(String out) {
            return 0;
        }
    }

    static class Quiet1 extends Quiet {
        public String read(String in) {
            return "1";
        }

        public int write(String out) {
            return 1;
        }
    }

    static class Quiet2 extends Quiet {
        public String read(String in) {
            return "2";
        }

        public int write(String out) {
            return 2;
        }
    }

    int oneOfManyOk(Reader reader) {
        return reader.read("x").length() + reader.write(null);
    }

    int knownOneBad() {
        Reader reader = new Careless();
        return reader.read("x").length();  // null.method
    }

    interface Only {
        String only();
    }

    static class OnlyOne implements Only {
        public String only() {
            return null;
        }
    }

    int theOnlyOneBad(Only only) {
        return only.only().length();  // null.method
    }
}

interface Named {
    default String name() {
        return null;
    }

    String label();
}

interface Titled extends Named {
    @Override
    default String name() {
        return null;
    }

    @Override
    default String label() {
        return null;
    }
}

class Base {
    public String name() {
        return "base";
    }

    public String label() {
        return null;
    }
}

class Extended extends Base implements Titled {}

class Further extends Extended {}

class Names {
    int ofTheExtendedClassOk(Further further) {
        return further.name().length();
    }

    int ofTheExtendedClassBad(Further further) {
        return further.label().length();  // null.method
    }

    int ofAnObjectOk() {
        return new Extended().name().length();
    }

    int byTheInterfaceBad(Careful careful) {
        return careful.label().length();  // null.method
    }

    interface Careful {
        String label();
    }

    static class Kept extends Base implements Careful {}
}
