"""One finding for each cause in a function, with the further uses listed under it."""

from __future__ import annotations

from in_memory import compared

RESET = """
class Link:
    def __init__(self, source):
        self.socket = source.open()
        self.other = source.open()

    def close(self):
        self.socket = None
        self.other = None

    def is_open(self):
        if self.socket is None or self.other is None:
            return False
        return True

    def name(self):
        first = self.socket.name if self.socket is not None else ""
        return first if self.other is None else first + self.other.name
"""
USES = """
    def send(self, data, count):
        if count > 3:
            self.socket.send(data)
        elif count > 2:
            self.socket.send_all(data)
            self.other.send(data)
        else:
            found = self.socket
            found.send(data)

    def receive(self):
        return self.socket.receive()
"""


def test_reads_of_one_field_have_one_cause_in_a_function() -> None:
    found = compared({"link.py": RESET}, {"link.py": RESET + USES})
    first = RESET.count("\n") + 1
    assert [(each.line - first, [place.line - first for place in each.also]) for each in found] == [
        (3, [5, 9]),
        (6, []),
        (12, []),
    ]


DOUBTED = """
class Link {
    private java.io.InputStream in;

    void open(java.io.InputStream in) {
        this.in = in;
    }

    void close() {
        in = null;
    }

    boolean isOpen() {
        return in != null;
    }
"""
READS = """
    void read(int count) throws java.io.IOException {
        if (count > 3) {
            in.read();
        } else {
            in.skip(count);
        }
    }
}
"""


def test_reads_of_one_field_have_one_cause_in_java() -> None:
    [found] = compared({"Link.java": DOUBTED + "}\n"}, {"Link.java": DOUBTED + READS})
    first = DOUBTED.count("\n") + 1
    assert (found.line - first, [place.line - first for place in found.also]) == (3, [5])
