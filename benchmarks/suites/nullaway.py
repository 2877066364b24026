"""NullAway's inline tests: lines after `BUG: Diagnostic contains:` that name a dereference must fire.

Checkout: uber/NullAway. NullAway reports types that do not fit as well (a null that is passed, returned, assigned):
those are no dereferences and count neither way, nor does `get()` of an Optional that may be empty, which fails without
a null, nor what its authors call safe in a comment before the mark, nor tests that switch off what it knows
(`...WhenDisabled`). Functions without any mark must be quiet, but for those that it is told not to check: by
`@SuppressWarnings`, `@NullUnmarked` or an annotation that a test excludes. Programs are read with what their test class
adds to all of them and with the sources of test-java-lib that they name. What is refuted beside the other marks is
judged without their statements.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from sources import functions, inside, nulls, parser, read
from tree_sitter import Node
from verdicts import Outcome, Verdict

_MARK = re.compile(r"//\s*BUG: Diagnostic contains:?\s*(?P<text>.*)")
_SAFE = re.compile(r"//.*(?:[Ff]alse positive|This is safe|[Tt]echnically safe)")
_UNCHECKED = re.compile(rb"@(?:\w+\.)*(?:SuppressWarnings|NullUnmarked|MyExcluded|TestAnnot|Generated)\b")
_DEREFERENCE = re.compile(r"dereferenced|unboxing|enhanced-for|synchroniz|switch expression|throwing")


def verdicts(checkout: Path) -> Iterator[Verdict]:
    root = checkout / "nullaway" / "src" / "test" / "java"
    library = read(checkout / "test-java-lib" / "src" / "main" / "java", (".java",))
    for path in sorted(root.rglob("*.java")):
        category = path.relative_to(root / "com" / "uber" / "nullaway").as_posix().removesuffix(".java")
        yield from of_file(category, path.read_bytes(), library)


def of_file(category: str, source: bytes, library: dict[str, bytes]) -> Iterator[Verdict]:
    """The verdicts of one of NullAway's test classes. library: what its programs are compiled with, by path."""
    tests, shared = _programs(source)
    for name, files in tests:
        if not name.endswith("WhenDisabled"):
            used = {path: text for path, text in library.items() if _mentions(files, Path(path).stem)}
            yield from _judge(category, name, files, {**shared, **used})


def _mentions(files: dict[str, bytes], name: str) -> bool:
    return any(re.search(rb"\b%b\b" % re.escape(name.encode()), source) for source in files.values())


def _judge(category: str, test: str, files: dict[str, bytes], library: dict[str, bytes]) -> Iterator[Verdict]:
    at = nulls({**library, **files})
    for file, source in files.items():
        lines = source.decode().splitlines()
        marks = {number: match["text"] for number, line in enumerate(lines, 1) if (match := _MARK.search(line))}
        marked = {
            number: next(
                later for later in range(number + 1, len(lines) + 2) if not _is_comment(lines[later - 1 : later])
            )
            for number in marks
        }
        for number, text in marks.items():
            if _DEREFERENCE.search(text) and not _SAFE.search("".join(lines[max(number - 3, 0) : number - 1])):
                statement = marked[number]
                lines_of = range(statement, statement + 3)
                outcome = max(at.get((file, line), Outcome.NOTHING) for line in lines_of)
                if outcome == Outcome.HIDDEN:
                    rest = _without(lines, set(marked.values()) - {statement})
                    alone = nulls({**library, **files, file: rest.encode()})
                    outcome = max(outcome, *(alone.get((file, line), Outcome.NOTHING) for line in lines_of))
                yield Verdict(category, f"{test} {file}:{statement}", True, outcome)
        unchecked = _unchecked(parser(".java").parse(source).root_node)
        for function in functions(file, source):
            if any(function.first in lines_of for lines_of in unchecked):
                continue
            if not any(function.first <= number <= function.last for number in marks):
                yield Verdict(category, f"{test} {function.name}", False, inside(function, at))


def _without(lines: list[str], others: set[int]) -> str:
    """The file without other marked statements, as far as they are whole lines: where one fails for certain, the next
    is not reached."""
    ends = tuple("{};")
    whole = {
        number
        for number in others
        if lines[number - 1].rstrip().endswith(";")
        and next((line for line in lines[number - 2 :: -1] if not _is_comment([line])), "{").rstrip().endswith(ends)
    }
    return "\n".join("" if number in whole else line for number, line in enumerate(lines, 1))


def _unchecked(root: Node) -> list[range]:
    """The lines of what an annotation or comment takes out of NullAway's checks."""
    found = []
    for node in _declarations(root):
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        if modifiers is not None and _UNCHECKED.search(modifiers.text or b""):
            found.append(range(node.start_point[0] + 1, node.end_point[0] + 2))
    return found


def _declarations(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type.endswith("_declaration"):
            yield child
        yield from _declarations(child)


def _is_comment(line: list[str]) -> bool:
    return bool(line) and (not line[0].strip() or line[0].lstrip().startswith("//"))


def _programs(source: bytes) -> tuple[list[tuple[str, dict[str, bytes]]], dict[str, bytes]]:
    """The sources that each test method adds, by file name, and those that helpers add for several of them."""

    def methods(node: Node) -> Iterator[Node]:
        for child in node.named_children:
            if child.type == "method_declaration":
                yield child
            else:
                yield from methods(child)

    tests: list[tuple[str, dict[str, bytes]]] = []
    shared: dict[str, bytes] = {}
    for method in methods(parser(".java").parse(source).root_node):
        files: dict[str, bytes] = {}
        for call in _calls(method, "addSourceLines"):
            arguments = call.child_by_field_name("arguments")
            texts = [_text(node) for node in arguments.named_children] if arguments is not None else []
            if len(texts) > 1 and all(text is not None for text in texts):
                file, *lines = (text for text in texts if text is not None)
                # Most are called Test.java, or the like, which elsewhere says that a file is test code.
                files[f"Case_{Path(file).stem}_{len(files)}.java"] = ("\n".join(lines) + "\n").encode()
        name = method.child_by_field_name("name")
        if files and name is not None and name.text is not None:
            if b"@Test" in (method.text or b""):
                tests.append((name.text.decode(), files))
            else:
                shared.update({f"shared/{path}": text for path, text in files.items()})
    return tests, shared


def _calls(node: Node, name: str) -> Iterator[Node]:
    for child in node.named_children:
        called = child.child_by_field_name("name") if child.type == "method_invocation" else None
        if called is not None and called.text == name.encode():
            yield child
        yield from _calls(child, name)


def _text(node: Node) -> str | None:
    """What a string literal or a text block stands for; None for any other expression."""
    if node.type == "binary_expression":
        sides = [_text(side) for side in node.named_children]
        return "".join(side for side in sides if side is not None) if None not in sides else None
    if node.type != "string_literal" or node.text is None:
        return None
    text = node.text.decode()
    if text.startswith('"""'):
        lines = text[3:-3].split("\n")[1:]
        return textwrap.dedent("\n".join(lines)).replace("\\\\", "\\").replace('\\"', '"')
    return str(ast.literal_eval(text))
