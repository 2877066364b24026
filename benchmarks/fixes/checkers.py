"""What other checkers say of a fix: what they find about null at the bug's function before it and not after it.

Each is run on the sources alone, on the files of the language that the fix changes, in a folder with the whole tree;
nothing of the tree is built or executed. C files are given an include path of every folder with headers, and headers
that are not there (generated ones, those of other packages) as empty files.
"""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from borrowed import checkout
from functions import functions
from lists import Fix, git

_MINUTES = 10
_READ = {".py": (".py", ".pyi"), ".java": (".java",), ".c": (".c", ".h"), ".h": (".c", ".h")}


def new(name: str, repository: Path, fix: Fix, work: Path) -> bool:
    """The peer reports something about null at the fix's function in its parent that it does not report in the fix."""
    suffix = Path(fix.file).suffix
    changed = git(repository, "diff", "--name-only", f"{fix.commit}^1", fix.commit).splitlines()
    sources = sorted({fix.file, *(path for path in changed if Path(path).suffix == suffix)})
    with tempfile.TemporaryDirectory(dir=work) as folder:
        sides = []
        for side, commit in (("before", f"{fix.commit}^1"), ("after", fix.commit)):
            tree = checkout(repository, commit, Path(folder) / side, _READ[suffix])
            there = [path for path in sources if (tree / path).is_file()]
            sides.append(_at(tree, fix, PEERS[name](tree, there)) if there else collections.Counter())
    return bool(sides[0] - sides[1])


def _at(tree: Path, fix: Fix, found: Iterator[tuple[str, int, str]]) -> collections.Counter[str]:
    """The messages inside the fix's function, by their text without numbers."""
    path = tree / fix.file
    if not path.is_file():
        return collections.Counter()
    wanted = fix.function.split(".")[-1]
    spans = [each for each in functions(fix.file, path.read_bytes()) if each.name.split(".")[-1] == wanted]
    return collections.Counter(
        re.sub(r"\d+", "", message)
        for file, line, message in found
        if os.path.normpath(file) == fix.file and any(span.holds(fix.file, line) for span in spans)
    )


def _run(tree: Path, *command: str) -> str:
    try:
        done = subprocess.run(command, cwd=tree, capture_output=True, check=False, timeout=60 * _MINUTES)
    except subprocess.TimeoutExpired:
        return ""
    return (done.stdout + done.stderr).decode(errors="replace")


def _lines(output: str, message: str) -> Iterator[tuple[str, int, str]]:
    """Lines of the form `file:line: message` or `file:line:column: message`, of those messages."""
    for match in re.finditer(rf"^([^:\n]+):(\d+):(?:\d+:)? ({message})$", output, re.MULTILINE):
        yield match[1], int(match[2]), match[3]


def _pyright(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    (tree / "pyrightconfig.json").write_text("{}")  # the tree's own settings may turn the rules off
    start = subprocess.run(["pyright", "--outputjson", *files], cwd=tree, capture_output=True, check=False).stdout
    for each in json.loads(start or b"{}").get("generalDiagnostics", []):
        if each.get("rule", "").startswith("reportOptional"):
            file = os.path.relpath(each["file"], tree.resolve())
            yield file, each["range"]["start"]["line"] + 1, each["message"]


def _mypy(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    options = ("--config-file=", "--check-untyped-defs", "--ignore-missing-imports", "--follow-imports=silent",
               "--namespace-packages", "--explicit-package-bases", "--no-incremental")  # fmt: skip
    codes = "union-attr|operator|index|misc|call-overload"
    yield from _lines(_run(tree, "mypy", *options, *files), rf"error: .*\bNone\b.*\[(?:{codes})\]")


def _ty(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    output = _run(tree, "ty", "check", "--output-format", "concise", "--exit-zero", *files)
    yield from _lines(output, r".*\bNone\b.*")


def _cppcheck(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    form = "--template={file}:{line}: {id}: {message}"
    output = _run(tree, "cppcheck", "-q", "--enable=warning", "--inconclusive", form, *files)
    yield from _lines(output, r"\w*[nN]ull\w*: .*")


def _clang(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    options = ("-Xclang", "-analyzer-checker=core,unix,nullability", "-Xclang", "-analyzer-output=text", "-w")
    for file in files:
        output = _run(tree, "clang", "--analyze", *options, *_includes(tree, file), "-o", os.devnull, file)
        yield from _lines(output, r"warning: .*[nN]ull.*")


def _gcc(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    rules = [f"-Wanalyzer-{rule}" for rule in ("null-dereference", "possible-null-dereference", "null-argument",
                                               "possible-null-argument")]  # fmt: skip
    for file in files:
        output = _run(tree, "gcc", "-fanalyzer", *rules, *_includes(tree, file), "-c", file, "-o", os.devnull)
        yield from _lines(output, r"warning: .*-Wanalyzer-[a-z-]*null.*")


def _includes(tree: Path, file: str) -> list[str]:
    """Every folder with headers, and one of empty headers in place of those that no folder has; for `<...>` behind the
    system's, since a tree may have replacements for other systems."""
    empty = tree / ".empty-headers"
    empty.mkdir(exist_ok=True)
    folders = sorted({path.parent for path in tree.rglob("*.h") if empty not in path.parents} | {tree})
    options = [part for folder in folders for part in (f"-iquote{folder}", f"-idirafter{folder}")]
    options.append(f"-idirafter{empty}")
    for name in re.findall(r"[^\s\\]+\.h\b", _run(tree, "gcc", "-MM", "-MG", "-w", *options, file)):
        if not name.startswith("/") and ".." not in name and not (tree / name).exists():
            (empty / name).parent.mkdir(parents=True, exist_ok=True)
            (empty / name).touch()
    return options


def _ecj(tree: Path, files: list[str]) -> Iterator[tuple[str, int, str]]:
    roots = sorted({_source_root(tree, path) for path in tree.rglob("*.java")})
    options = ("-proc:none", "-proceedOnError", "-nowarn", "-warn:null,nullDereference", "-source", "17", "-d", "none")
    output = _run(tree, "ecj", *options, "-sourcepath", ":".join(map(str, roots)), *files)
    for match in re.finditer(r"(?:WARNING|ERROR) in (\S+) \(at line (\d+)\)\n(?:.*\n){2}(.*)", output):
        if "ull" in match[3]:
            yield os.path.relpath(match[1], tree.resolve()), int(match[2]), match[3]


def _source_root(tree: Path, path: Path) -> Path:
    found = re.search(rb"^\s*package\s+([\w.]+)\s*;", path.read_bytes(), re.MULTILINE)
    depth = len(found[1].split(b".")) if found else 0
    return path.parents[depth] if depth < len(path.relative_to(tree).parts) else path.parent


PEERS: dict[str, Callable[[Path, list[str]], Iterator[tuple[str, int, str]]]] = {
    "pyright": _pyright,
    "mypy": _mypy,
    "ty": _ty,
    "ecj": _ecj,
    "cppcheck": _cppcheck,
    "clang": _clang,
    "gcc": _gcc,
}
