// A function that returns early leaves a field as it was: that is no other value than the null that it leaves at its end.
class LeftEarly {
    private Socket socket;
    private Socket opened;
    private boolean closed;

    void closeOk() {
        if (closed) {
            return;
        }
        closed = true;
        socket = null;
    }

    void laterBad(Runner runner) {
        runner.run(() -> socket.send());  // null.method
    }

    void sendOk() {
        if (opened != null) {
            opened.send();
        }
    }

    void openOk() {
        if (closed) {
            return;
        }
        opened = new Socket();
    }

    void openedOk(Runner runner) {
        runner.run(() -> opened.send());
    }
}

class Socket {
    void send() {
    }
}
