class Part {
    void run() {
    }

    static Part find(int number) {
        return number > 3 ? null : new Part();
    }
}

// A field that holds what a variable holds: what a test has shown of the variable on one way, it has not on the other.
class Machine {
    Part part;

    void oneWayBad(int number) {
        Part found = Part.find(number);
        this.part = found;
        if (found != null) {
            System.out.println(found);
        }
        this.part.run();  // null.method
    }

    void fieldOneWayBad(int number) {
        this.part = Part.find(number);
        if (this.part != null) {
            System.out.println(number);
        }
        this.part.run();  // null.method
    }

    void loopOneWayBad(int number) {
        Part found = Part.find(number);
        this.part = found;
        while (number-- > 0) {
            if (found != null) {
                System.out.println(found);
            }
            this.part.run();  // null.method
        }
    }

    void everyWayOk(int number) {
        Part found = Part.find(number);
        this.part = found;
        if (found == null) {
            if (number == 5) {
                return;
            }
            throw new IllegalStateException();
        }
        if (number == 4) {
            System.out.println(found);
        }
        this.part.run();
    }
}
