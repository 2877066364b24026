"""What the shared passes make of Java's instructions: methods are found by the number of their arguments as well."""

from __future__ import annotations

import pytest
from in_memory import table
from tree_sitter import Node

from pliant.extractors.budget import file_steps
from pliant.extractors.facts import FileFacts
from pliant.extractors.ir.operands import Operand
from pliant.extractors.java.extract import extract, translate
from pliant.extractors.java.semantics import SEMANTICS
from pliant.extractors.java.translation.body import EXPRESSIONS, Body
from pliant.extractors.passes.facts import facts_of
from pliant.extractors.writer import FactWriter

_SOURCE = """
package shop;
import java.util.*;

class Item {
    @Nullable String name;
    Item next;

    Item() { }
    Item(int count, String... names) { this(); }

    Item find(List<Item> all) { return find(all, 1); }

    Item find(List<Item> all, int n) {
        return new Item(n) { String show() { return name; } };
    }
}
"""


def _facts() -> FileFacts:
    writer = FactWriter()
    facts_of(translate(_SOURCE.encode()), SEMANTICS, writer, file_steps(0))
    return writer.finish()


def _rows(relation: str) -> set[tuple[str | int, ...]]:
    return set(table(_facts(), relation))


def test_methods_and_constructors_have_the_number_of_their_parameters_in_their_names() -> None:
    found = {name for class_, name, _ in _rows("class_attribute") if class_ == "|Item"}
    several = {f"<init> Item/{number}" for number in range(1, 8)}
    assert found == {"<init> Item/0", "find/1", "find/2"} | several
    assert ("|Item", "find", "|Item.find#List,int") in _rows("method")
    inner = "|Item.find#List,int.new Item"
    assert (inner, "show", f"{inner}.show") in _rows("method")


def test_calls_have_the_number_of_their_arguments_in_their_names() -> None:
    names = {name for _, _, name in _rows("call_method")}
    assert names == {"find/2", "<init> Item/0", "<init> Item/1"}
    assert {name for _, name in _rows("construction")} == {"<init> new Item/1"}


def test_a_class_is_looked_for_where_it_may_be() -> None:
    assert {module for _, module, name in _rows("import_from") if name == "List"} == {"shop", "java.util", "java.lang"}


def test_fields_say_what_they_are_declared_to_be() -> None:
    [(class_, field, _)] = _rows("nullable_field")
    assert (class_, field) == ("|Item", "name")
    stored = {(field, value) for base, field, value in _rows("store") if base == "|Item|any|1"}
    assert ("next", "|Item|next declared|1") in stored


_FIELDS = """
class Box {
    Object set, unset, begun = "", cleared;
    @Nullable Object declared;
    static Object shared;

    Box(Object given) { set = given; }

    Box() { this(""); }

    void clear(boolean again) {
        cleared = null;
        begun = null;
        if (again) { begun = ""; throw new IllegalStateException(); }
        begun = "";
    }
}
"""


def _of_fields(relation: str) -> set[tuple[str | int, ...]]:
    writer = FactWriter()
    facts_of(translate(_FIELDS.encode()), SEMANTICS, writer, file_steps(0))
    return set(table(writer.finish(), relation))


def test_a_constructor_leaves_fields_as_null_that_nothing_sets() -> None:
    left = {(function, field) for function, _, field, _, _ in _of_fields("field_at_exit")}
    assert left == {("|Box.Box", "unset"), ("|Box.Box", "cleared")}


def test_a_method_tells_what_it_writes_to_fields_and_leaves_there() -> None:
    assert {field for _, field, _ in _of_fields("attribute_written")} == {"set", "cleared", "begun"}
    assert {field for _, field, _, _ in _of_fields("attribute_left")} == {"set", "cleared"}


_BOXED = """
class Held {
    Integer number;

    static int asked() {
        Held one = new Held();
        Held other = new Held();
        one.number = new Integer(42);
        other.number = new Integer(42);
        String text = null;
        return one.number COMPARED ? text.length() : 0;
    }
}
"""


def test_objects_that_hold_one_number_may_be_two() -> None:
    assert "method" in _uses(_BOXED.replace("COMPARED", "!= other.number"))
    assert "method" not in _uses(_BOXED.replace("COMPARED", "!= 42"))


def _uses(source: str) -> set[object]:
    writer = FactWriter()
    facts_of(translate(source.encode()), SEMANTICS, writer, file_steps(0))
    return {kind for _, _, kind, _ in table(writer.finish(), "dereference")}


_BROKEN = """
class Shop {
    String before(String s) { return s.trim(); }
    String broken(String s) { use(() -> s.size()); use("fail"); return null; }
    String after(String s) { return s.trim(); }
}
"""


def test_a_failure_costs_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(body: Body, node: Node) -> Operand:
        raise ValueError("no number")

    monkeypatch.setitem(EXPRESSIONS, "string_literal", fails)
    facts = extract(_BROKEN.encode())
    assert [(each.scope, each.function) for each in facts.diagnostics] == [("function", "|Shop.broken")]
    assert {function for _, function, _ in table(facts, "call")} == {"|Shop.before", "|Shop.after"}
