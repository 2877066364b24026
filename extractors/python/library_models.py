"""Model files: what the stubs do not say about library calls, and corrections of what they say.

The format is documented in the header of extractors/models/python.toml, which is always loaded first, with
python_packages.toml beside it; files given by a user come after them and win, key by key.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from pliant.extractors import model_names, toml
from pliant.extractors.model_files import ModelError, ModelFile

BUILTIN = tuple(Path(__file__).parent.parent / "models" / name for name in ("python.toml", "python_packages.toml"))

CALLS = BUILTIN[0].with_name("python_calls.toml")  # what calls show where they are; the library does not repeat it

Model = dict[str, Any]  # key -> checked value


@cache
def builtin_digest() -> str:
    """Changes with the built-in model files."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in (*BUILTIN, CALLS))).hexdigest()[:16]


@dataclass(frozen=True)
class Models:
    """entity -> its model, of all files together."""

    entities: Mapping[str, Model] = field(default_factory=dict)

    def digest(self) -> str:
        """Changes with any change of meaning of the models, and not with their comments or order."""
        text = repr(sorted((name, sorted(model.items())) for name, model in self.entities.items()))
        return hashlib.sha256(text.encode() + CALLS.read_bytes()).hexdigest()[:16]

    def get(self, entity: str, key: str, default: Any = None) -> Any:
        return self.entities.get(entity, {}).get(key, default)


def load_models(paths: Iterable[Path | str] = (), files: Iterable[ModelFile] = ()) -> Models:
    """The built-in models with the given files on top of them."""
    entities: dict[str, Model] = {}
    tables = [_read(path) for path in (*BUILTIN, *map(Path, paths))]
    for table in [*tables, *(_tables(file.name, file.text) for file in files)]:
        for name, model in table.items():
            entities[name] = {**entities.get(name, {}), **model}
    return Models(entities)


def _read(path: Path) -> dict[str, Model]:
    try:
        return _tables(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: the model file cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ModelError(f"{path}: expected UTF-8 text") from error


def _tables(path: Path | str, text: str) -> dict[str, Model]:
    try:
        tables = model_names.rest(toml.loads(text))
    except toml.TomlError as error:
        raise ModelError(f"{path}: {error}") from error
    return {name: _entity(path, name, table) for name, table in tables.items()}


def _entity(path: Path | str, name: str, table: object) -> Model:
    if not isinstance(table, dict):
        raise ModelError(f'{path}: {name}: expected a table such as ["package.function"], found {table!r}')
    if "." not in name or not _is_name(name):
        hint = (
            ' (quote the whole name: ["package.function"])' if any(isinstance(v, dict) for v in table.values()) else ""
        )
        raise ModelError(f'{path}: ["{name}"]: expected a dotted name of a module and something in it{hint}')
    model = {}
    for key, value in table.items():
        if key not in _KEYS:
            raise ModelError(f'{path}: ["{name}"]: unknown key {key!r}; expected one of {", ".join(sorted(_KEYS))}')
        expected, accepts = _KEYS[key]
        if not accepts(value):
            raise ModelError(f'{path}: ["{name}"].{key}: expected {expected}, found {value!r}')
        model[key] = value
    return model


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and all(part.isidentifier() and not iskeyword(part) for part in value.split("."))


def _is_type(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        ast.parse(value.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two of thousands of nested brackets
        return False
    return True


def _is_position(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_ARGUMENTS


def _list_of(accepts: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(accepts(item) for item in value)


def _is_argument(value: object) -> bool:
    if not isinstance(value, dict) or not value or not value.keys() <= {"position", "name"}:
        return False
    return _is_position(value.get("position", 0)) and isinstance(value.get("name", ""), str)


_MOST_ARGUMENTS = 1 << 16
_TYPE = 'a type such as "list[xml.dom.minidom.Node] | None"'
_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "kind": ('"class", "function" or "value"', lambda value: value in ("class", "function", "value")),
    "nullable": (
        "true, false or a list of argument counts",
        lambda value: _is_bool(value) or _list_of(_is_position)(value),
    ),
    "returns": (_TYPE, _is_type),
    "value": (_TYPE, _is_type),
    "noreturn": ("true or false", _is_bool),
    "returns_argument": (
        'a list of arguments such as { position = 1, name = "default" }',
        _list_of(_is_argument),
    ),
    "returns_argument_item": (
        'a list of arguments such as { position = 0, name = "iterable" }',
        _list_of(_is_argument),
    ),
    "returns_receiver": ("true or false", _is_bool),
    "returns_item": ("true or false", _is_bool),
    "returns_contents": (
        "a list of argument positions, -1 for the receiver",
        _list_of(lambda n: n == -1 or _is_position(n)),
    ),
    "fresh": ("true or false", _is_bool),
    "bases": ("a list of class names", _list_of(_is_name)),
    "mutable": ("true or false", _is_bool),
    "copies_defaults": ("true or false", _is_bool),
    "replaces": ("a list of method names", _list_of(_is_name)),
    "changes": ("a list of argument positions", _list_of(_is_position)),
    "repeats": ("a list of argument positions", _list_of(_is_position)),
    "iterated": ("true or false", _is_bool),
    "iterates_copy": ("true or false", _is_bool),
    "mutates": (
        "true or false for a function, a list of method names for a class",
        lambda value: _is_bool(value) or _list_of(_is_name)(value),
    ),
}


def stub_text(models: Models, has_module: Callable[[str], bool]) -> dict[str, str]:
    """Stub modules for the modelled entities of modules that have none: module -> text with fully qualified names.

    An entity belongs to the class whose name is the part before its last dot where that is modelled, and otherwise
    to the module of that name.
    """
    missing = {name: model for name, model in models.entities.items() if not _described(name, has_module)}
    children: dict[str, list[str]] = {}
    for name in sorted(missing):
        children.setdefault(name.rpartition(".")[0], []).append(name)
    modules = sorted(parent for parent in children if parent not in missing)
    packages = {module[: end.start()] for module in modules for end in re.finditer(r"\.", module)} - missing.keys()
    return dict.fromkeys(packages, "") | {
        module: "\n".join(line for name in children[module] for line in _stub_lines(name, missing, children, ""))
        for module in modules
    }


def _described(name: str, has_module: Callable[[str], bool]) -> bool:
    return has_module(name.partition(".")[0])


def _stub_lines(name: str, models: dict[str, Model], children: dict[str, list[str]], indent: str) -> list[str]:
    model = models[name]
    own = name.rpartition(".")[2]
    inside = [
        line for child in children.get(name, ()) for line in _stub_lines(child, models, children, indent + "    ")
    ]
    of_classes = {"bases", "mutable", "copies_defaults", "iterates_copy"}
    is_class = bool(inside) or not model.keys().isdisjoint(of_classes) or isinstance(model.get("mutates"), list)
    kind = model.get("kind") or ("class" if is_class else "value" if "value" in model else "function")
    if kind == "class":
        listed = model.get("mutates", [])
        for method in listed if isinstance(listed, list) else ():
            if f"{name}.{method}" not in models:
                inside.append(f"{indent}    def {method}(self, *args, **kwargs): ...")
        return [f"{indent}class {own}({', '.join(model.get('bases', ()))}):", *(inside or [f"{indent}    ..."])]
    if kind == "value":
        return [f"{indent}{own}: {model.get('value', 'typing.Any')}"]
    receiver = "self, " if indent else ""
    return [f"{indent}def {own}({receiver}*args, **kwargs): ..."]
