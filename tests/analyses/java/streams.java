import java.util.List;

class Users {
    record User(String name, String mail) {}

    private final List<User> users;

    Users(List<User> users) {
        this.users = users;
    }

    User byName(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst().orElse(null);
    }

    User known(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst().orElseThrow();
    }

    User orFirst(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst().orElse(new User(name, ""));
    }

    String mailBad(String name) {
        return byName(name).mail();  // null.method
    }

    String mailOk(String name) {
        User user = byName(name);
        return user == null ? "" : user.mail();
    }

    String knownOk(String name) {
        return known(name).mail();
    }

    String orFirstOk(String name) {
        return orFirst(name).mail();
    }
}
