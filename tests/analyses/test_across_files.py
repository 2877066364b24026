"""What one file says of another: the classes that values are declared to be of, and what imports are sure to find."""

from __future__ import annotations

from in_memory import evaluate, findings, verdicts

_SHAPES = {
    "shapes/Shape.java": """
package shapes;

public interface Shape {
    default String name() {
        return null;
    }
}
""",
    "shapes/Round.java": """
package shapes;

public class Round implements Shape {
}
""",
    "shapes/Square.java": """
package shapes;

public class Square implements Shape {
}
""",
}
_USER = """
package uses;

import shapes.Round;
import shapes.Shape;

class User {
    void take(Shape shape, Object any) {
    }

    void pass(boolean round) {
        Object made = round ? new Round() : new User();
        take((Shape) made, made);
    }
}
"""


def test_a_parameter_of_a_class_of_another_file_holds_an_instance_of_that_alone() -> None:
    evaluation, _ = evaluate({**_SHAPES, "uses/User.java": _USER})
    held: dict[str, set[str]] = {}
    for variable, what in map(evaluation.strings, evaluation.rows("points_to")):
        if variable.startswith("uses/User.java|User.take|"):
            held.setdefault(variable.split("|")[2], set()).add(what.split("|")[1])
    assert (held["shape"], held["any"]) == ({"Shape"}, {"Round", "User"})


def test_numbers_and_strings_hold_no_objects_that_flow_there() -> None:
    user = """
package uses;

import shapes.Round;

class User {
    void add(boolean first, Round... rounds) {
    }

    void add(boolean first, int index, Object rest) {
    }

    Integer number(Object given) {
        return (Integer) given;
    }

    void add(Object result) {
    }

    void pass() {
        add(true, new Round(), new Round());
        add(number(new Round()));
    }
}
"""
    evaluation, _ = evaluate({**_SHAPES, "uses/User.java": user})
    held = {
        variable.split("|")[2]
        for variable, what in map(evaluation.strings, evaluation.rows("points_to"))
        if what == "shapes/Round.java|Round|instance" and variable.startswith("uses/User.java|User.")
    }
    assert {"rest", "given"} <= held
    assert held.isdisjoint({"index", ".number()", "result"})


def test_a_fallback_for_an_import_is_null_only_where_the_import_may_fail() -> None:
    user = """
try:
    import json
except ImportError:
    json = None
try:
    from collections import OrderedDict
except ImportError:
    OrderedDict = None
try:
    import mine
except ImportError:
    mine = None
try:
    from mine import Thing
except ImportError:
    Thing = None
try:
    import yaml
except ImportError:
    yaml = None

def f():
    json.loads("x")
    OrderedDict.fromkeys([])
    mine.go()
    Thing.go()
    yaml.load("x")
"""
    found = findings({"user.py": user, "mine.py": "class Thing:\n    pass\n\ndef go():\n    pass\n"})
    assert [(each.file, each.line) for each in found] == [("user.py", 28)]


def test_what_an_initialiser_goes_over_is_not_the_field_of_another_object() -> None:
    source = """
import java.util.ArrayList;
import java.util.List;

class Node {
    static Node first;
    List<String> rows;
    {
        List<String> own = new ArrayList<>();
        rows = own;
        for (String row : own) {
            first.rows.add(row);
        }
        for (String row : own) {
            own.add(row);
        }
    }
}
"""
    assert [each.line for each in findings({"Node.java": source})] == [15]


def test_a_method_that_a_module_keeps_has_its_object() -> None:
    hooks = """
class Hooks:
    def __init__(self, name):
        self.name = name

    def fire(self, event, *rest):
        return event.upper()


hooks = Hooks("all")
fire = hooks.fire
"""
    used = "import hooks\n\n\ndef change(event=None):\n    hooks.fire({}, event)\n"
    assert not verdicts({"hooks.py": hooks, "core.py": used.format('"change"')})
    assert verdicts({"hooks.py": hooks, "core.py": used.format("None")}) == {("hooks.py", 7): {"witnessed"}}
