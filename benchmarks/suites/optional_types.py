"""The samples of mypy and pyright on optional types: every error on an optional member or operand must fire.

Checkouts: python/mypy (test-data/unit/check-optional.test) and microsoft/pyright (samples optional1.py and
optional2.py). Errors on types that do not fit (a null that is passed, returned, assigned) are no dereferences and count
neither way; mypy's cases without any error must be quiet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sources import nulls
from verdicts import Outcome, Verdict

_USE = re.compile(
    r'"None" not callable|Item "None" of|Unsupported left operand type for .* \("None"\)|is not indexable'
)
_SAMPLES = Path("packages/pyright-internal/src/tests/samples")
_COMMENT = re.compile(r"should generate an error|generate an error|should generate \w+ errors?")


def mypy(checkout: Path) -> Iterator[Verdict]:
    text = (checkout / "test-data" / "unit" / "check-optional.test").read_text()
    for chunk in re.split(r"^\[case ", text, flags=re.MULTILINE)[1:]:
        name, _, body = chunk.partition("]")
        main = re.split(r"^\[", body, flags=re.MULTILINE)[0]
        lines = main.split("\n")
        found = _found("main.py", main)
        errors = [number for number, line in enumerate(lines, 1) if "# E:" in line]
        uses = [_statement(lines, number) for number in errors if _USE.search(lines[number - 1])]
        for number in uses:
            yield Verdict(
                "mypy", f"{name}:{number} {lines[number - 1].strip()}", True, found.get(number, Outcome.NOTHING)
            )
        if not errors and "[out]" not in body:
            yield Verdict("mypy", f"{name} {sorted(found) or ''}", False, _most(found, found))


def _statement(lines: list[str], number: int) -> int:
    """The line that an expected error is about: a backslash carries errors on to lines of their own."""
    while lines[number - 2].endswith("\\"):
        number -= 1
    return number


def pyright(checkout: Path) -> Iterator[Verdict]:
    for name in ("optional1.py", "optional2.py"):
        lines = (checkout / _SAMPLES / name).read_text().split("\n")
        found = _found(name, "\n".join(lines))
        blocks = list(_told(lines))
        for block in blocks:
            number = block.start
            alone = _found(name, "\n".join(_without(lines, blocks, block)))
            outcome = max(_most(found, block), _most(alone, block))
            yield Verdict("pyright", f"{name}:{number} {lines[number].strip()}", True, outcome)
        told = {number for block in blocks for number in block}
        for number in sorted(found.keys() - told):
            yield Verdict("pyright", f"{name}:{number} {lines[number - 1].strip()}", False, found[number])


def _found(name: str, source: str) -> dict[int, Outcome]:
    """By line."""
    return {line: outcome for (_, line), outcome in nulls({name: source.encode()}).items()}


def _most(found: Mapping[int, Outcome], lines: Iterable[int]) -> Outcome:
    return max((found[line] for line in lines if line in found), default=Outcome.NOTHING)


def _told(lines: list[str]) -> Iterator[range]:
    """The lines of each expected error: its comment, and the statements up to the next comment, past an empty line
    after an assignment."""
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#") and _COMMENT.search(line):
            end = number
            while end < len(lines) and not (end > number and lines[end].lstrip().startswith("#")):
                end += 1
            yield range(number, end + 1)


def _without(lines: list[str], blocks: list[range], kept: range) -> list[str]:
    """The file without the statements of other errors: where one use of a null fails, the next is not reached."""
    gone = {block.start + 1 for block in blocks if block != kept}
    return [line if number not in gone or line[:1] == " " else "pass" for number, line in enumerate(lines, 1)]


def verdicts(checkout: Path) -> Iterator[Verdict]:
    yield from mypy(checkout) if (checkout / "test-data").is_dir() else pyright(checkout)
