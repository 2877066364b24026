class Note {
    String text() {
        return "";
    }

    static native Note find(int number);
}

// What a parameter is, or what a call gives, is compared with null, and the function goes on with it.
class ComparedAndUsed {
    String goesOnBad(Note note) {
        if (note == null) {
            System.out.println("none");
        }
        return note.text();  // null.method
    }

    String otherWayBad(Note note, Note other) {
        if (note == null && other == null) {
            return "";
        }
        return note.text() + other;  // null.method
    }

    String resultBad(int number) {
        Note found = Note.find(number);
        if (found != null) {
            System.out.println(found);
        }
        return found.text();  // null.method
    }

    String passedOn(Note note) {
        if (note == null) {
            System.out.println("none");
        }
        return textOfBad(note);
    }

    private String textOfBad(Note note) {
        return note.text();  // null.method
    }

    String replacedOk(Note note) {
        if (note == null) {
            note = new Note();
        }
        return note.text();
    }

    String leftOk(Note note) {
        if (note == null) {
            throw new IllegalArgumentException();
        }
        return note.text();
    }

    String refusedOk(Note note) {
        if (note == null) {
            refuse();
        }
        return note.text();
    }

    private static void refuse() {
        throw new IllegalArgumentException();
    }

    String assertedOk(Note note) {
        assert note != null;
        return note.text();
    }

    String togetherOk(Note note, Note other) {
        if (note == null && other == null) {
            return "";
        }
        return other == null ? note.text() : other.text();
    }
}
