class Links {
    private Link first;
    private Link last;

    static class Link {
        int key;
        Link next;
    }

    Link find(int key) {
        Link link = first;
        while (link != null && link.key != key) {
            link = link.next;
        }
        return link;
    }

    int foundBad(int key) {
        Link link = find(key);
        return link.key;  // null.attribute
    }

    int foundOk(int key) {
        Link link = find(key);
        return link == null ? 0 : link.key;
    }

    int behindTheLastBad() {
        Link link = first;
        while (link != null) {
            link = link.next;
        }
        return link.key;  // null.attribute
    }

    int lastOk() {
        Link link = first;
        Link before = null;
        while (link != null) {
            before = link;
            link = link.next;
        }
        return before == null ? 0 : before.key;
    }

    int lastOfSomeOk() {
        Link link = first;
        while (link.next != null) {
            link = link.next;
        }
        return link.key;
    }

    Link checked(int key) {
        Link link = first;
        while (link != null && link.key != key) {
            link = link.next;
        }
        if (link == null) {
            throw new IllegalArgumentException();
        }
        return link;
    }

    int checkedOk(int key) {
        return checked(key).key;
    }

    int leftByBreakOk(int key) {
        Link link = first;
        for (;;) {
            if (link == null) {
                return 0;
            }
            if (link.key == key) {
                break;
            }
            link = link.next;
        }
        return link.key;
    }
}
