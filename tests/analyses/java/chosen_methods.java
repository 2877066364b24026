class Part {
    int number;
}

class Builder {
    Part build() {
        return new Part();
    }

    Part buildWith(Builder other) {
        return other.build();
    }
}

class NullBuilder extends Builder {
    @Override
    Part build() {
        return null;
    }
}

// What a function gives by calling a method of its parameter: which method runs shows from the object that is passed.
class ChosenMethods {
    static Part build(Builder builder) {
        return builder.build();
    }

    static Part buildIf(Builder builder, boolean wanted) {
        return wanted ? builder.build() : null;
    }

    static Part buildSecond(Builder first, Builder second) {
        return second == null ? null : first.buildWith(second);
    }

    static int builtOk() {
        return build(new Builder()).number;
    }

    static int builtBad() {
        return build(new NullBuilder()).number;  // null.attribute
    }

    static int builtByBad(Builder builder) {
        return build(builder).number;  // null.attribute
    }

    static int builtIfOk() {
        return buildIf(new Builder(), true).number;
    }

    static int builtIfBad() {
        return buildIf(new Builder(), false).number;  // null.attribute
    }

    static int secondOk() {
        return new NullBuilder().buildWith(new Builder()).number + buildSecond(new NullBuilder(), new Builder()).number;
    }

    static int secondBad() {
        return buildSecond(new Builder(), new NullBuilder()).number;  // null.attribute
    }
}
