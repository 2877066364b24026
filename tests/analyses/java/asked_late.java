import java.net.URI;

// A field that its getter sets when it is first asked for is null before: who reads it in place of the getter meets that.
class AskedLate {
    private final String text;
    private URI uri;
    private String trimmed;

    AskedLate(String text, URI uri, String trimmed) {
        this.text = text;
        this.uri = uri;
        this.trimmed = trimmed;
    }

    URI uriOk() {
        URI known = uri;
        return known != null ? known : (uri = URI.create(text));
    }

    String trimmedOk() {
        if (trimmed == null) {
            trimmed = text.trim();
        }
        return trimmed;
    }

    String hostBad() {
        return uri.getHost();  // null.method
    }

    int lengthBad() {
        return trimmed.length();  // null.method
    }

    int lengthOk() {
        return trimmedOk().length();
    }

    String portOk() {
        return uri != null ? uri.getHost() : "";
    }

    String textOk() {
        return text.trim();
    }
}
