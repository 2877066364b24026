"""Random histories of small mutated files, and the git repositories that they make."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fuzz import originals
from fuzz.mutations import mutated
from fuzz.reduction import Fails, ddmin
from fuzz.trees import LANGUAGES, Tree, window

REGULAR: Final = "100644"
_MODES: Final = (REGULAR, REGULAR, REGULAR, "100755", "120000", "160000")
_NAMES: Final = (
    "a", "b", "c d", "é", "e\u0301", "tests/x", "p/q/r", "-n", "a|b", "a%7Cb", "a\tb", "a\nb", 'a"b', "a'b", "\udcff",
    "\u202ex", "::warning::x", "##vso[x]", "$(x)", "*", "?", "CON", "a.py/b", "x" * 120, " ", "__init__", "p/__init__",
    "package-info",
)  # fmt: skip
_FILE_BYTES: Final = (200, 600, 1500)
File = tuple[str, bytes]  # mode, content


@dataclass(frozen=True)
class Commit:
    """parents: numbers of earlier commits. files: the whole tree, by path; a byte that is not UTF-8 is a surrogate."""

    parents: tuple[int, ...]
    files: tuple[tuple[str, File], ...]


History = tuple[Commit, ...]


def drawn(chance: random.Random, commits: int) -> History:
    found: list[Commit] = []
    files: dict[str, File] = {}
    for _ in range(chance.randint(2, 6)):
        files[_name(chance)] = (REGULAR, _content(chance))
    found.append(Commit((), tuple(files.items())))
    while len(found) < commits:
        parent = len(found) - 1 if chance.random() < 0.7 else chance.randrange(len(found))
        files = dict(found[parent].files)
        parents = [parent]
        other = chance.randrange(len(found))
        if other != parent and chance.random() < 0.2:
            theirs = dict(found[other].files)
            parents.append(other)
            files.update((path, theirs[path]) for path in sorted(theirs) if chance.random() < 0.5)
        for _ in range(chance.choice([1, 1, 2, 4])):
            _changed(files, found, chance)
        found.append(Commit(tuple(parents), tuple(sorted(files.items()))))
    return tuple(found)


def _changed(files: dict[str, File], before: list[Commit], chance: random.Random) -> None:
    """One edit of a tree, in place."""
    path = chance.choice(sorted(files)) if files else _name(chance)
    mode, content = files.get(path, (REGULAR, _content(chance)))
    match chance.randrange(8):
        case 0 | 1 | 2:
            language = next(name for name, each in LANGUAGES.items() if path.endswith(each.suffixes))
            files[path] = (mode, mutated(content, language, chance, originals.pieces(language)))
        case 3:
            files[_name(chance)] = (REGULAR, _content(chance))
        case 4:
            files.pop(path, None)
        case 5:
            files.pop(path, None)
            suffix = path[path.rfind(".") :]
            files[_name(chance).rpartition(".")[0] + suffix] = (mode, content)
        case 6:
            files[path] = (chance.choice(_MODES), content)
        case _:
            files.update(file for file in chance.choice(before).files if chance.random() < 0.5)
    _no_folder_is_a_file(files)


def _no_folder_is_a_file(files: dict[str, File]) -> None:
    for path in list(files):
        if any(other.startswith(f"{path}/") for other in files):
            del files[path]


def _name(chance: random.Random) -> str:
    language = chance.choice(["python", "python", "java", "c"])
    return chance.choice(_NAMES) + chance.choice(LANGUAGES[language].suffixes)


def _content(chance: random.Random) -> bytes:
    language = chance.choice(sorted(LANGUAGES))
    source = chance.choice(originals.files(language))
    source = window(Tree(source, language), chance.choice(_FILE_BYTES), chance)
    if chance.random() < 0.3:
        source = mutated(source, language, chance, originals.pieces(language))
    return source


def made(history: History, folder: Path) -> list[str]:
    """A bare repository in `folder`, by `git fast-import`; the ids of the commits. main is the last one."""
    git = ["git", "-C", str(folder)]
    folder.mkdir(parents=True)
    subprocess.run([*git, "init", "--quiet", "--bare", "--initial-branch", "main"], check=True)
    subprocess.run(
        [*git, "fast-import", "--quiet", "--export-marks=marks"], input=b"".join(_stream(history)), check=True,
        capture_output=True,
    )  # fmt: skip
    marks = dict(line.split() for line in (folder / "marks").read_text().splitlines())
    return [marks[f":{number}"] for number in range(1, len(history) + 1)]


def _stream(history: History) -> Iterator[bytes]:
    """Links lead to their content's first line; a submodule is at a commit that is nowhere."""
    for number, commit in enumerate(history, 1):
        yield b"commit refs/heads/main\nmark :%d\ncommitter T <t@example.org> %d +0000\ndata 1\nx\n" % (number, number)
        if not commit.parents and number > 1:
            yield b"from " + b"0" * 40 + b"\n"
        for position, parent in enumerate(commit.parents):
            yield b"%b :%d\n" % (b"merge" if position else b"from", parent + 1)
        yield b"deleteall\n"
        for path, (mode, content) in commit.files:
            if mode == "160000":
                yield b"M 160000 %b %b\n" % (b"1" * 40, _quoted(path))
                continue
            data = content.split(b"\n")[0].replace(b"\0", b"") or b"x" if mode == "120000" else content
            yield b"M %b inline %b\ndata %d\n%b\n" % (mode.encode(), _quoted(path), len(data), data)


def _quoted(path: str) -> bytes:
    escaped = path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    return b'"' + escaped.replace(b"\n", b"\\n").replace(b"\t", b"\\t") + b'"'


# Smaller ones


def fewer_files(history: History, fails: Fails[History]) -> History:
    """Versions of files that are not needed go, from whole commits to single ones."""
    every = [(number, path) for number, commit in enumerate(history) for path, _ in commit.files]
    names = sorted({path for _, path in every})

    def keeping(kept: Callable[[int, str], bool]) -> History:
        return tuple(
            Commit(commit.parents, tuple(file for file in commit.files if kept(number, file[0])))
            for number, commit in enumerate(history)
        )

    left = set(ddmin(names, lambda some: fails(keeping(lambda number, path: path in some))))
    every = [each for each in every if each[1] in left]
    pairs = set(ddmin(every, lambda some: fails(keeping(lambda number, path: (number, path) in some))))
    return keeping(lambda number, path: (number, path) in pairs)


def shorter_files(history: History, fails: Fails[History]) -> History:
    """Each content loses lines, in all commits at once."""
    for content in sorted({file[1] for commit in history for _, file in commit.files}, key=len, reverse=True):

        def put(lines: list[bytes], content: bytes = content, history: History = history) -> History:
            new = b"".join(lines)
            return tuple(
                Commit(
                    commit.parents,
                    tuple((path, (mode, new if text == content else text)) for path, (mode, text) in commit.files),
                )
                for commit in history
            )

        history = put(ddmin(content.splitlines(keepends=True), lambda some, put=put: fails(put(some))))  # type: ignore[misc]
    return history


def as_json(history: History) -> list[object]:
    return [
        [
            list(commit.parents),
            [[path, mode, content.decode("utf-8", "surrogateescape")] for path, (mode, content) in commit.files],
        ]
        for commit in history
    ]


def of_json(read: list[list[list[list[str]]]]) -> History:
    return tuple(
        Commit(
            tuple(map(int, parents)),  # type: ignore[call-overload]
            tuple((path, (mode, text.encode("utf-8", "surrogateescape"))) for path, mode, text in files),
        )
        for parents, files in read
    )


def environment(folder: Path) -> Mapping[str, str]:
    """Of a process that checks: no configuration of the user's, caches in `folder`."""
    return {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": str(folder / "no-gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "home-state"),
        "PLIANT_STATE_KEY": "the key of the fuzzer's machine",
        "NO_COLOR": "1",
    }
