class Type {
    private Type content;
    private Type[] all = new Type[3];

    boolean isArray() {
        return content != null;
    }

    int kind() {
        return all.length;
    }

    Type getContent() {
        return null;
    }

    Type find(String name) {
        return null;
    }

    Type next() {
        content = null;
        return null;
    }

    // What a number out of bounds gives is no evidence for another number.
    Type at(int index) {
        return (index >= all.length) ? null : all[index];
    }

    Type there(int index) {
        if (index >= all.length) {
            throw new IllegalArgumentException();
        }
        if (all[index] == null) {
            return null;
        }
        return all[index];
    }

    // Neither of two numbers is a bound of the other one.
    Type between(int from, int to) {
        if (from >= to) {
            return null;
        }
        return all[from];
    }

    void use() {
    }
}

// What a method gives in some state of its object, where the object was asked for its state before.
class AskedState {
    void plainBad(Type type) {
        type.getContent().use();  // null.method
    }

    void askedOk(Type type) {
        if (type.isArray()) {
            type.getContent().use();
        }
    }

    void askedEarlyOk(Type type) {
        if (!type.isArray()) {
            return;
        }
        type.getContent().use();
    }

    void whileOk(Type type) {
        while (type.isArray()) {
            type = type.getContent();
            type.use();
        }
    }

    void comparedOk(Type type) {
        int kind = type.kind();
        if (kind == 4) {
            type.getContent().use();
        }
    }

    void switchOk(Type type) {
        switch (type.kind()) {
            case 1:
                type.getContent().use();
                break;
            default:
        }
    }

    void otherBad(Type type, Type other) {
        if (other.isArray()) {
            type.getContent().use();  // null.method
        }
    }

    // What it gives depends on more than its state.
    void findBad(Type type) {
        if (type.isArray()) {
            type.find("x").use();  // null.method
        }
    }

    // The call moves the object on to another state.
    void nextBad(Type type) {
        if (type.isArray()) {
            type.next().use();  // null.method
        }
    }

    void boundsOk(Type type, int n) {
        type.at(0).use();
        type.at(n).use();
    }

    void betweenBad(Type type, int n) {
        type.between(n, 3).use();  // null.method
    }

    void thereBad(Type type, int n) {
        type.there(n).use();  // null.method
    }
}

class Feature {
    int mask() {
        return 1;
    }
}

class Typer {
}

class Config {
    int with(Feature feature) {
        return feature.mask();
    }

    int with(Typer typer) {
        return 0;
    }

    int withoutBad(Feature feature) {
        return feature.mask();  // null.method
    }

    // The other one of two overloads does not run, whatever flows to the argument.
    int setOk(Typer typer) {
        return with(typer);
    }

    int clear() {
        return setOk(null) + withoutFeature(null);
    }

    private int withoutFeature(Feature feature) {
        return withoutBad(feature);
    }
}

class Problem {
    private Typer typer;

    Problem() {
    }

    Problem(Typer typer) {
        this.typer = typer;
    }

    Typer typer() {
        return typer;
    }

    void useBad() {
        typer.toString();  // null.method
    }
}

class Never {
    private Typer typer;

    Never() {
    }

    Typer typer() {
        return typer;
    }
}

// Null by one constructor of several: which one has made an object does not show.
class Constructed {
    static Problem none() {
        return new Problem();
    }

    static Problem some() {
        return new Problem(new Typer());
    }

    static Never never() {
        return new Never();
    }

    static void eitherOk(Problem problem) {
        problem.typer().toString();
    }

    static void neverBad(Never never) {
        never.typer().toString();  // null.method
    }
}
