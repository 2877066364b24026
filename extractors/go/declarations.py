"""A file: what it declares is read first, then its functions are translated one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from tree_sitter import Node

from pliant.extractors.budget import TooMuch, translation_steps

# Each of these registers its handlers.
from pliant.extractors.go import functions, literals, loops, operators, switches  # noqa: F401
from pliant.extractors.go.assignments import several, sources
from pliant.extractors.go.body import Body
from pliant.extractors.go.constraints import OTHER_SYSTEM, is_built
from pliant.extractors.go.file import File
from pliant.extractors.go.names import CGO, Global, Package, package_name
from pliant.extractors.go.statements import specs
from pliant.extractors.go.types import parameters, signature, target, type_parameters, written
from pliant.extractors.ir.operands import ANY, BOOLEAN, NUMBER, STRING, Type
from pliant.extractors.ir.unit import MODULE, Function, LeftOut
from pliant.extractors.lowering.isolation import reason_of
from pliant.extractors.lowering.source import elements, span, text


def translate(root: Node) -> File:
    """Everything that a file says. What is nested too deeply, or takes too many steps, is left out, with a diagnostic;
    nothing is raised."""
    file = File()
    if not is_built(root):
        file.unit.module = ""
        file.mention(OTHER_SYSTEM)
    module = Body(file, file.add(Function(MODULE, span=span(root))))
    declared = list(_declared(root))
    _survey(file, declared)
    for node in declared:
        if node.type == "var_declaration":
            for spec in specs(node):
                _guarded(file, node, partial(_variables, module, spec))
    module.build.finish()
    file.spent.add(module.build.steps)
    most_steps = translation_steps(root.end_byte)
    for node in declared:
        if node.type in ("function_declaration", "method_declaration"):
            _guarded(file, node, partial(_function, file, node, most_steps))
    for name, meaning in file.names.items():
        if isinstance(meaning, Global) and name not in file.signatures:
            file.unit.variables[name] = meaning.type
    return file


def _declared(root: Node) -> Iterator[Node]:
    """The declarations of a file, those within what does not parse among them."""
    for node in elements(root):
        if node.type == "ERROR":
            yield from elements(node)
        else:
            yield node


def _guarded(file: File, node: Node, work: Callable[[], None]) -> None:
    before = len(file.unit.functions)
    try:
        work()
    except Exception as error:
        made = file.unit.functions[before:]
        del file.unit.functions[before:]
        for function in made[:1]:
            file.add(replace(function, formals=[], variables={}, blocks=[], flags=function.flags | {"declared"}))
        file.unit.left_out.append(LeftOut(made[0].name if made else "", span(node), reason_of(error)))


# What is declared.


def _survey(file: File, declared: list[Node]) -> None:
    """Names first, since they are used before they are declared; then what they are."""
    types: list[tuple[Node, Type]] = []
    for node in declared:
        match node.type:
            case "package_clause":
                if text(node).endswith("_test"):  # the tests of a package from outside: a package of its own
                    file.unit.module = ""
            case "import_declaration":
                _imports(file, node)
            case "type_declaration":
                types += [(spec, file.name_type(spec, file, file.names)) for spec in specs(node)]
    for spec, kind in types:
        _guarded(file, spec, partial(_in_generic, file, spec, partial(file.fill_type, spec, file, kind)))
    for node in declared:
        match node.type:
            case "function_declaration" | "method_declaration":
                _guarded(file, node, partial(_in_generic, file, node, partial(_signature, file, node)))
            case "const_declaration":
                for spec in specs(node):
                    _constants(file, spec)
            case "var_declaration":
                for spec in specs(node):
                    kind = written(spec.child_by_field_name("type"), file)
                    for name in names(spec):
                        file.names[text(name)] = Global(text(name), kind)


def _in_generic(file: File, node: Node, work: Callable[[], None]) -> None:
    file.parameters = type_parameters(node)
    work()
    file.parameters = {}


def _imports(file: File, node: Node) -> None:
    todo = elements(node)[::-1]
    while todo:
        spec = todo.pop()
        if spec.type == "import_spec_list":
            todo += elements(spec)[::-1]
            continue
        path_node, name_node = spec.child_by_field_name("path"), spec.child_by_field_name("name")
        path = text(path_node)[1:-1] if path_node is not None else ""
        name = text(name_node) if name_node is not None else package_name(path)
        if path and path != "C":
            file.mention(path)
        if path and name not in ("_", "."):
            file.names[name] = Package(CGO if path == "C" else path)


def names(spec: Node) -> list[Node]:
    return [each for each in spec.children_by_field_name("name") if each.is_named]


def _constants(file: File, spec: Node) -> None:
    """Constants are numbers, strings or truth values: which one, the first literal tells."""
    values, named = elements(spec.child_by_field_name("value")), names(spec)
    for number, name in enumerate(named):
        kind = NUMBER
        todo = [values[number]] if number < len(values) else []
        for node in todo:
            if node.type in ("interpreted_string_literal", "raw_string_literal", "true", "false"):
                kind = BOOLEAN if node.type in ("true", "false") else STRING
                break
            todo += node.named_children
        file.names[text(name)] = Global(text(name), kind)


def _receiver(file: File, node: Node) -> Type | None:
    """The type of the receiver of a method; None of a function."""
    for _, kind, _ in parameters(node.child_by_field_name("receiver"), file):
        return kind
    return None


def _signature(file: File, node: Node) -> None:
    name = text(node.child_by_field_name("name") or node)
    receiver = _receiver(file, node)
    if receiver is None:
        found = signature(node, file)
        if name not in ("_", "init"):
            file.names[name] = Global(name, found.type)
            file.signatures[name] = found
    else:
        how = "pointer" if receiver.kind == "pointer" else "value"
        file.methods[target(receiver).name, name] = signature(node, file, how)


# Functions and variables.


def _function(file: File, node: Node, most_steps: int) -> None:
    name_node = node.child_by_field_name("name") or node
    name = text(name_node)
    file.parameters = type_parameters(node)
    receiver = _receiver(file, node)
    file.parameters = {}
    owner = target(receiver) if receiver is not None else ANY
    function = Function(name, span=span(name_node), extent=span(node))
    if owner.kind == "class":
        function.name, function.owner = f"{owner.name}.{name}", owner
    if receiver is not None or name in file.signatures:
        function.flags = frozenset(("global",))
    if receiver is not None and file.shape(receiver) not in ("struct", "unknown", "any"):
        function.flags |= {"null_receiver"}
    function.name = file.unique(function.name)
    if node.child_by_field_name("body") is None:  # it is written in another language, or cut off
        function.flags |= {"declared"}
        file.add(function)
        return
    file.add(function)
    if file.spent.all > most_steps:
        raise TooMuch(f"translating the file takes more than {most_steps:,} steps")
    body = Body(file, function)
    try:
        functions.translate(body, node)
    finally:
        file.spent.add(body.build.steps)


def _variables(module: Body, spec: Node) -> None:
    file, build = module.file, module.build
    del module.scopes[:]
    left, right = names(spec), elements(spec.child_by_field_name("value"))
    written_type = spec.child_by_field_name("type")
    wanted = written(written_type, file) if written_type is not None else None
    found = several(module, right, len(left)) if right else []
    for number, name in enumerate(left):
        if number < len(found):
            given, of = found[number]
            kind = wanted or of
            given = module.fit(given, of, kind, sources(right, len(left))[number])
        else:
            kind = wanted or ANY
            given = module.zero(kind, span(name))
        if text(name) != "_":
            meaning = file.names[text(name)] = Global(text(name), kind)
            build.set(module.variable(meaning), given, span(name))
