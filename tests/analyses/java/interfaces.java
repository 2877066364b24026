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
}
