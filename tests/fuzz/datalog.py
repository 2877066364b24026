"""Mutated Datalog programs over mutated fact files: what the naive oracle derives, or one clear error with its place.

The programs are those of tests/engine/programs.py, most of them mutated.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from oracle import Fact, TooManyChoices, evaluate
from programs import state
from souffle.random_programs import Case, cases

from fuzz.campaign import Fuzzer
from fuzz.datalog_mutations import ANYHOW, damaged, kept
from fuzz.processes import Failed
from fuzz.reduction import Fails, ddmin
from pliant.engine import Bound, DatalogError, Evaluation, FactError, Program, TooLarge
from pliant.engine.fact_files import read_facts

_POOLS: Final = 40
_POOL_SIZE: Final = 50
_MOST_CHOICES: Final = 500_000  # of rows for the atoms of bodies: what the oracle goes through in a few seconds
_MOST_ROWS: Final = 1_000_000  # that the joins of an evaluation may put out
_SPECIAL: Final = {"unmutated": 0.15, "kept": 0.45}  # shares of programs; the rest is mutated anyhow


@dataclass(frozen=True)
class Run:
    """A program, a fact file for each of its inputs, and epochs of changes: NAME.insert and NAME.delete -> content."""

    text: bytes
    facts: Mapping[str, bytes]
    epochs: tuple[Mapping[str, bytes], ...] = ()
    strategy: str = "update"


def fuzzer(language: str = "") -> Fuzzer[Run]:
    return Fuzzer("datalog", _draw, check, _PASSES, _write, _read, lambda case, answer: {str(answer).split(":")[0]: 1})


@cache
def _pool(number: int) -> list[Case]:
    return cases(_POOL_SIZE, number)


def _draw(chance: random.Random) -> Run:
    case = chance.choice(_pool(chance.randrange(_POOLS)))
    text, share = case.random.text, chance.random()
    if share < _SPECIAL["unmutated"]:
        pass
    elif share < sum(_SPECIAL.values()):
        for _ in range(chance.randint(1, 4)):
            text = kept(text, chance)
    else:
        for _ in range(chance.choice([1, 1, 2, 4])):
            text = chance.choice(ANYHOW)(text, chance)
    facts = {name: _file(rows) for name, rows in case.facts.items()}
    epochs = tuple(_epoch(case, chance) for _ in range(chance.randint(0, 2)))
    if chance.random() < 0.25 and facts:
        name = chance.choice(sorted(facts))
        facts[name] = damaged(facts[name], chance)
    return Run(
        text.encode("utf-8", "surrogatepass"), facts, epochs, chance.choice(["update", "elastic", "bootstrap"])
    )  # fmt: skip


def _epoch(case: Case, chance: random.Random) -> dict[str, bytes]:
    changes = {}
    for name, rows in case.facts.items():
        ordered = sorted(rows, key=repr)
        other = [row for each in _pool(0) for row in sorted(each.facts.get(name, ()), key=repr)
                 if each.random.kinds[name] == case.random.kinds[name]]  # fmt: skip
        changes[f"{name}.delete"] = _file(set(chance.sample(ordered, min(len(ordered), chance.randint(0, 3)))))
        changes[f"{name}.insert"] = _file(set(chance.sample(other, min(len(other), chance.randint(0, 3)))))
    return changes


def _file(rows: set[Fact]) -> bytes:
    lines = ("\t".join(map(str, row)) if row else "()" for row in sorted(rows, key=repr))
    return "".join(f"{line}\n" for line in lines).encode()


# What is checked


def check(case: Run) -> str:
    """`valid`, `invalid program: why` or `invalid facts: why`."""
    with tempfile.TemporaryDirectory(prefix="fuzz-datalog-") as name:
        try:
            return _checked(case, Path(name))
        except TooLarge:
            return "valid, too large for the engine"
        except TooManyChoices:
            return "valid, too large for the oracle"


def _checked(case: Run, folder: Path) -> str:
    try:
        text = case.text.decode()
    except UnicodeDecodeError:
        return "invalid program: not UTF-8"
    try:
        program = Program.parse({"program.dl": text})
    except DatalogError as error:
        return f"invalid program: {_diagnosed(error, text)}"
    program.bound = Bound(_MOST_ROWS, 0)
    places = {relation: folder / f"{relation}.facts" for relation in program.io.inputs}
    expected: dict[str, set[Fact]] = {}
    bad = None
    for relation, path in places.items():
        path.write_bytes(case.facts.get(relation, b""))
        rows = _rows(path.read_bytes(), program.inputs[relation])
        if rows is None:
            bad = bad or relation
        expected[relation] = rows or set()
    try:
        batch = read_facts(program, [(relation, path, "\t") for relation, path in places.items()])
    except FactError as error:
        _one_line(error, folder, bad)
        return "invalid facts: " + re.sub(r"\d+", "?", str(error).rpartition("/")[2])[:60]
    if bad is not None:
        raise Failed("a fact file is what it seems or an error", f"{bad} was accepted", repr(case.facts[bad]))
    evaluation = Evaluation.bootstrap(program, batch)
    _same("the engine equals the oracle", evaluation, text, expected)
    for number, epoch in enumerate(case.epochs):
        known = {name: data for name, data in epoch.items() if name.rpartition(".")[0] in program.inputs}
        files: dict[str, list[tuple[str, Path, str]]] = {"insert": [], "delete": []}
        for name, data in known.items():
            relation, _, way = name.rpartition(".")
            if (rows := _rows(data, program.inputs[relation])) is None:
                return "valid"
            path = folder / f"{number}-{name}"
            path.write_bytes(data)
            files[way].append((relation, path, "\t"))
            expected.setdefault(relation, set())
        for way in ("delete", "insert"):
            for relation, path, _ in files[way]:
                rows = _rows(path.read_bytes(), program.inputs[relation]) or set()
                expected[relation] = expected[relation] - rows if way == "delete" else expected[relation] | rows
        insert, delete = (read_facts(program, files[way]) for way in ("insert", "delete"))
        evaluation.update(insert, delete, case.strategy)
        _same("Update equals Bootstrap", evaluation, text, expected)
    return "valid"


def _diagnosed(error: DatalogError, text: str) -> str:
    """The first message; every one has a place in the text."""
    lines = text.split("\n")
    if not error.diagnostics:
        raise Failed("an error has a place", "an error without a diagnostic")
    for each in error.diagnostics:
        if not (1 <= each.line <= len(lines) and 1 <= each.column <= len(lines[each.line - 1]) + 1):
            raise Failed("an error has a place", "a place outside of the program", str(error))
        if not each.message.strip() or "\n" in each.message:
            raise Failed("an error has a place", "no message in one line", repr(each.message))
    return re.sub(r"[`'\"].*|\d+", "?", error.diagnostics[0].message)[:60]


def _one_line(error: FactError, folder: Path, bad: str | None) -> None:
    text = str(error)
    if bad is None:
        raise Failed("a fact file is what it seems or an error", "a good file was refused", text)
    if "\n" in text or not re.match(rf"{re.escape(str(folder))}/\S+\.facts:\d+: ", text):
        raise Failed("an error has a place", "a fact error without file and line", text)


def _same(property: str, evaluation: Evaluation, text: str, facts: Mapping[str, set[Fact]]) -> None:
    program = evaluation.program
    evaluated = [name for name in program.schemas if name in program.stored]  # what outputs depend on
    found, expected = state(evaluation, evaluated) if evaluated else {}, evaluate(text, facts, _MOST_CHOICES)
    unknown = set(evaluation.uncounted())
    for name, rows in found.items():
        other = expected[name]
        if name in unknown:
            other = {row: (level, 0) for row, (level, _) in other.items()}
        if rows != other:
            raise Failed(property, "another state", f"{name}: {rows}\nexpected {other}")


_INTEGERS: Final = {
    "number": (re.compile(r"\s*[+-]?[0-9]+"), -(2**31), 2**31),
    "unsigned": (re.compile(r"\s*\+?[0-9]+|0x[0-9a-fA-F]+|0b[01]+"), 0, 2**32),
}


def _rows(data: bytes, kinds: tuple[str, ...]) -> set[Fact] | None:
    """What a fact file holds, by the words of docs/engine.md; None where it is none."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found: set[Fact] = set()
    lines = text.split("\n")
    for line in lines if lines[-1] else lines[:-1]:
        fields = line.removesuffix("\r").split("\t")
        if len(fields) != max(len(kinds), 1):
            return None
        row: list[str | int] = []
        for each, kind in zip(fields, kinds, strict=False):
            if kind == "symbol":
                row.append(each)
                continue
            pattern, low, high = _INTEGERS[kind]
            digits = re.sub(r"^\s*([+-]?)0*(?=[0-9])", r"\1", each)
            if not pattern.fullmatch(each) or (each[:2] not in ("0x", "0b") and len(digits) > 20):
                return None
            value = int(each, 0) if each[:2] in ("0x", "0b") else int(digits)
            if not low <= value < high:
                return None
            row.append(value)
        found.add(tuple(row))
    return found


# Smaller ones


def _fewer_lines(case: Run, fails: Fails[Run]) -> Run:
    lines = ddmin(case.text.split(b"\n"), lambda some: fails(replace(case, text=b"\n".join(some))))
    return replace(case, text=b"\n".join(lines))


def _fewer_tokens(case: Run, fails: Fails[Run]) -> Run:
    """Within a few thousand characters, one after the other."""
    text = case.text.decode("utf-8", "surrogateescape")
    if len(text) > 5000:
        return case
    parts = re.findall(r'"[^"]*"|\w+|\s+|.', text)
    joined = ddmin(parts, lambda some: fails(replace(case, text="".join(some).encode("utf-8", "surrogateescape"))))
    return replace(case, text="".join(joined).encode("utf-8", "surrogateescape"))


def _fewer_facts(case: Run, fails: Fails[Run]) -> Run:
    for name in case.facts:

        def put(lines: list[bytes], case: Run = case, name: str = name) -> Run:
            return replace(case, facts={**case.facts, name: b"".join(lines)})

        lines = case.facts[name].splitlines(keepends=True)
        case = put(ddmin(lines, lambda some, put=put: fails(put(some))))  # type: ignore[misc]
    return case


def _fewer_epochs(case: Run, fails: Fails[Run]) -> Run:
    case = replace(case, epochs=tuple(ddmin(case.epochs, lambda some: fails(replace(case, epochs=tuple(some))))))
    for index, epoch in enumerate(case.epochs):

        def put(some: list[tuple[str, bytes]], case: Run = case, index: int = index) -> Run:
            return replace(case, epochs=(*case.epochs[:index], dict(some), *case.epochs[index + 1 :]))

        changes = [(name, line) for name, data in epoch.items() for line in data.splitlines(keepends=True)]

        def of(some: list[tuple[str, bytes]], put: Callable[..., Run] = put) -> Run:
            files: dict[str, bytes] = {}
            for name, line in some:
                files[name] = files.get(name, b"") + line
            return put(list(files.items()))

        case = of(ddmin(changes, lambda some, of=of: fails(of(some))))  # type: ignore[misc]
    return case


_PASSES: Final = [_fewer_epochs, _fewer_lines, _fewer_facts, _fewer_tokens]


# On disk: parts with a line of their own in front


_PART: Final = re.compile(rb"^==== (\S+) ====\n", re.M)


def _write(case: Run) -> tuple[bytes, str]:
    def parts() -> Iterator[tuple[str, bytes]]:
        yield f"program.{case.strategy}", case.text
        for name, data in case.facts.items():
            yield f"{name}.facts", data
        for number, epoch in enumerate(case.epochs):
            for name, data in epoch.items():
                yield f"{number}/{name}.facts", data

    return b"\n".join(b"==== %b ====\n%b" % (name.encode(), data) for name, data in parts()), ".dl"


def _read(content: bytes, suffix: str) -> Run:
    _, *found = _PART.split(content)
    names = [name.decode() for name in found[::2]]
    parts = dict(zip(names, [*(data.removesuffix(b"\n") for data in found[1:-1:2]), found[-1]], strict=True))
    run = Run(b"", {})
    epochs: dict[int, dict[str, bytes]] = {}
    facts = {}
    for name, data in parts.items():
        number, slash, rest = name.partition("/")
        if name.startswith("program."):
            run = Run(data, {}, strategy=name.removeprefix("program."))
        elif slash:
            epochs.setdefault(int(number), {})[rest.removesuffix(".facts")] = data
        else:
            facts[name.removesuffix(".facts")] = data
    return replace(run, facts=facts, epochs=tuple(epochs[number] for number in sorted(epochs)))
