import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
class A { void use() {} }
class Main {
    static void look(Object o) {}
    void main() {
        List<A> list = new ArrayList<>();
        list.add(new A());  // calls: A.A
        look(list);  // holds: java.util.ArrayList
        look(list.get(0));  // holds: A
        for (A a : list) {
            a.use();  // calls: A.use
        }
        Map<String, A> map = new HashMap<>();
        map.put("x", new A());  // calls: A.A
        look(map.get("x"));  // holds: A
    }
}
