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
