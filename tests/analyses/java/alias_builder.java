import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

class Request {
    private final List<String> headers;

    Request(List<String> headers) {
        this.headers = headers;
    }

    static class Builder {
        private final List<String> headers = new ArrayList<>();
        private final List<String> parts = new ArrayList<>();

        void headerBad(String header) {
            headers.add(header);  // alias.shared-internal
        }

        Request build() {
            return new Request(headers);
        }

        void partOk(String part) {
            parts.add(part);
        }

        Request buildOfCopy() {
            return new Request(new ArrayList<>(parts));
        }
    }
}

class Shelf {
    private final List<String> books = new ArrayList<>();

    void addOk(String book) {
        books.add(book);
    }

    List<String> view() {
        return new ReadOnly(books);
    }
}

class ReadOnly extends AbstractList<String> {
    private final List<String> shown;

    ReadOnly(List<String> shown) {
        this.shown = shown;
    }

    @Override
    public String get(int i) {
        return shown.get(i);
    }

    @Override
    public int size() {
        return shown.size();
    }
}
