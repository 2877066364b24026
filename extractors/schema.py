"""Every EDB relation, once: name, columns, and a sentence that reads a row.

Extractors can emit nothing else. The Datalog declarations that the analyses are compiled with, the layout of the
blob cache and docs/facts.md are derived from this table.

Vocabulary: `v`, `w`, `base` are SSA values; a call is named by the value that it returns; `f` is a function, `c` a
class, `o` an abstract object; `site` is an occurrence of an operation; `live` is a control value: the code that
carries it runs only if the control value is reachable.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    columns: tuple[tuple[str, str], ...]  # (name, "symbol" | "number")
    doc: str

    @property
    def arity(self) -> int:
        return len(self.columns)


def _relation(signature: str, doc: str) -> Relation:
    name, _, rest = signature.partition("(")
    columns = []
    for part in rest.rstrip(")").split(","):
        column, _, kind = part.strip().partition(":")
        columns.append((column, kind or "symbol"))
    return Relation(name, tuple(columns), doc)


_TABLE = (
    # Modules, functions, classes.
    _relation("module(file, dotted)", "`file` may be imported as `dotted`."),
    _relation("global_name(file, name, v)", "Module-level name `name` of `file` lives in cell `v`."),
    _relation("star_import(file, dotted)", "`file` imports every public name of module `dotted`."),
    _relation("function(f, file)", "`f` is a function (or the module body) of `file`."),
    _relation("generator(f)", "Calling `f` makes a generator; its returns are not the call's value."),
    _relation("property(f)", "`f` is read as an attribute."),
    _relation("static_method(f)", "`f` takes no receiver."),
    _relation("class_method(f)", "`f` takes its class as the receiver."),
    _relation("stub_body(f)", "`f` has no body to speak of (abstract, `...`, `pass`, only raises NotImplementedError)."),
    _relation("class(c, file)", "`c` is a class of `file`."),
    _relation("class_base(c, v)", "Class `c` inherits from the class that `v` holds."),
    _relation("method(c, name, f)", "Class `c` defines method `name` as `f`."),
    _relation("class_attribute(c, name, v)", "The body of class `c` binds `name` to `v`."),
    _relation("instance(o, c)", "Object `o` is an instance of class `c`."),
    _relation("formal(f, i:number, v)", "Positional parameter number `i` (from 0) of `f` is `v`."),
    _relation("formal_name(f, name, v)", "Parameter `name` of `f` is `v`."),
    _relation("default(v, w)", "Parameter `v` is `w` where a call leaves it out."),
    _relation("returns(f, v, live)", "`f` may return `v`."),
    _relation("falls_off(f, v, live)", "`f` may end without a return statement; `v` is the null that it then returns."),
    _relation("yields(f, v)", "`f` may yield `v`."),
)

RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _TABLE}


def declarations() -> str:
    """The relations as `.decl` and `.input` lines of a Datalog program."""
    lines = []
    for relation in _TABLE:
        columns = ", ".join(f"{name}: {kind}" for name, kind in relation.columns)
        lines.append(f".decl {relation.name}({columns})\n.input {relation.name}")
    return "\n".join(lines) + "\n"
