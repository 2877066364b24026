"""What was left out of a side: which findings are unknown for it, and what is told of it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command_line import run
from repos import MakeRepo, Repo

from pliant.ci import queue
from pliant.ci.check import check
from pliant.ci.comparison import Request
from pliant.ci.history.plan import Range
from pliant.ci.history.run import Request as HistoryRequest
from pliant.ci.history.run import history
from pliant.ci.history.verify import compare as verify
from pliant.ci.report import Report
from pliant.extractors.facts import FileFacts
from pliant.extractors.languages import Language
from pliant.extractors.mixing import mixed
from pliant.extractors.writer import FactWriter

Files = Mapping[str, str | bytes | None]
Compare = Callable[[Files, Files], Report]

FIND = "def find(key):\n    if key:\n        return None\n    return key\n"
USE = "from lib import find\n\n\ndef use(key):\n    return find(key).name\n"
BOTH = f"{FIND}\n\ndef use(key):\n    return find(key).name\n\n\ndef other(key):\n    return find(key).size\n"
TWO_WAYS = """
def start():
    return None

def first():
    return start()

def second():
    return start()

def use(key):
    if key:
        x = first()
    else:
        x = second()
    return x.name
"""
C_SOURCE = """
int *find(int n) { return 0; }

int use(void)
{
    return *find(1);
}

int other(void) { return 2; }
"""
JAVA_SOURCE = """
class A {
    static String find(int n) { return null; }

    static int use() {
        return find(1).length();
    }

    static int other() { return 2; }
}
"""


@pytest.fixture(autouse=True)
def markers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment `LEFT OUT` leaves out the file, `LEFT OUT name` a function, as an extractor does that fails on it."""
    original = Language.extract

    def extract(language: Language, source: bytes) -> FileFacts:
        facts = original(language, source)
        lines = source.decode(errors="replace").splitlines()
        for number, line in enumerate(lines, 1):
            _, marked, name = line.partition("LEFT OUT")
            if not marked:
                continue
            writer, name = FactWriter(), name.strip()
            if name:
                first = next(place for place, text in enumerate(lines, 1) if text.startswith(f"def {name}("))
                last = next((place for place in range(first, len(lines)) if not lines[place].strip()), number - 1)
                writer.extents[f"|{name}"] = (first, 0, last, 0)
                writer.function_left_out(f"|{name}", first, "it is odd")
                kept = mixed(facts, FileFacts(), name.__eq__)
                kept.diagnostics = [*facts.diagnostics, *writer.finish().diagnostics]
                facts = kept
            else:
                writer.file_left_out("it is odd")
                facts = writer.finish()
        return facts

    monkeypatch.setattr(Language, "extract", extract)


@pytest.fixture
def compare(make_repo: MakeRepo) -> Compare:
    def compare(base: Files, head: Files) -> Report:
        repo = make_repo()
        repo.commit(base)
        repo.commit(head)
        return reported(repo)

    return compare


def reported(repo: Repo, head: str = "HEAD") -> Report:
    request = Request(repo.folder, "HEAD~1" if head == "HEAD" else "HEAD", head, repo.folder.parent / "state")
    return check(request, pytest.fail)


def statuses(report: Report) -> set[str]:
    return {f"{each.status} {each.file} {each.function}" for each in report.findings}


CASES: dict[str, tuple[Files, Files, set[str]]] = {
    "a file": ({"a.py": BOTH}, {"a.py": f"{BOTH}# LEFT OUT\n"}, {"unknown a.py use", "unknown a.py other"}),
    "a file that is renamed": (
        {"a.py": BOTH},
        {"a.py": None, "b.py": f"{BOTH}# LEFT OUT\n"},
        {"unknown a.py use", "unknown a.py other"},
    ),
    "a file that is gone": ({"a.py": BOTH}, {"a.py": None}, {"fixed a.py use", "fixed a.py other"}),
    "a function": ({"a.py": BOTH}, {"a.py": f"{BOTH}# LEFT OUT use\n"}, {"unknown a.py use"}),
    "a function beside one that is fixed": (
        {"a.py": BOTH},
        {"a.py": f"{BOTH}# LEFT OUT use\n".replace("find(key).size", "1")},
        {"unknown a.py use", "fixed a.py other"},
    ),
    "the file on the way": (
        {"lib.py": FIND, "a.py": USE},
        {"lib.py": f"{FIND}# LEFT OUT\n"},
        {"unknown a.py use"},
    ),
    "the function on the way": (
        {"lib.py": FIND, "a.py": USE},
        {"lib.py": f"{FIND}# LEFT OUT find\n"},
        {"unknown a.py use"},
    ),
    "the file on the way of what is fixed elsewhere": (
        {"lib.py": FIND, "a.py": USE},
        {"lib.py": f"{FIND}# LEFT OUT\n", "a.py": USE.replace(".name", "")},
        {"fixed a.py use"},
    ),
    "one of two ways, the other fixed": (
        {"a.py": TWO_WAYS},
        {"a.py": TWO_WAYS.replace("return start()", "return 1", 1) + "# LEFT OUT second\n"},
        {"unknown a.py use"},
    ),
    "beside what is new": (
        {"a.py": FIND},
        {"a.py": f"{BOTH}\n\ndef more():\n    return 1\n# LEFT OUT more\n"},
        {"new a.py use", "new a.py other"},
    ),
    "a line of the function": (
        {"a.py": BOTH},
        {"a.py": BOTH.replace("return find(key).name", "return (find(key.name")},
        {"unknown a.py use", "unknown a.py other"},
    ),
    "a line of another function": (
        {"a.py": BOTH},
        {"a.py": BOTH.replace("find(key).size", "1").replace("if key:", "if key key:", 1)},
        {"fixed a.py other"},
    ),
    "a line of no function": (
        {"a.py": BOTH},
        {"a.py": f"x = = 1\n{BOTH}".replace("find(key).size", "1")},
        {"unknown a.py other"},
    ),
    "a line that the base left out, too": (
        {"a.py": f"x = = 1\n{BOTH}"},
        {"a.py": f"x = = 1\n{BOTH}".replace("find(key).size", "1")},
        {"fixed a.py other"},
    ),
    "a function of the base": (
        {"a.py": f"{BOTH}# LEFT OUT use\n"},
        {"a.py": BOTH},
        {"unknown a.py use"},
    ),
    "a function of the base that is changed": (
        {"a.py": f"{BOTH}# LEFT OUT use\n"},
        {"a.py": BOTH.replace("key).name", "key).title")},
        {"new a.py use"},
    ),
    "a file of the base": (
        {"a.py": f"{BOTH}# LEFT OUT\n"},
        {"a.py": BOTH.replace("key).name", "key).title")},
        {"new a.py use", "unknown a.py other"},
    ),
    "the file on the way of the base": (
        {"lib.py": f"{FIND}# LEFT OUT\n", "a.py": USE},
        {"lib.py": FIND},
        {"unknown a.py use"},
    ),
    "both sides": (
        {"a.py": f"{BOTH}# LEFT OUT\n", "b.py": "x = 1\n"},
        {"a.py": f"{BOTH}\n# LEFT OUT\n"},
        set(),
    ),
    "a use that is silenced": (
        {"a.py": BOTH.replace(".name", ".name  # pliant: ignore[null] known")},
        {"a.py": BOTH + "# LEFT OUT\n"},
        {"unknown a.py other"},
    ),
    "a comment that silences nothing": (
        {"a.py": "x = 1  # pliant: ignore[null.attribute] why\n"},
        {"a.py": "x = 1  # pliant: ignore[null.attribute] why\n# LEFT OUT\n"},
        {"unknown a.py "},
    ),
    "what a comment silences": (
        {"lib.py": FIND, "a.py": USE.replace(".name", ".name  # pliant: ignore[null] known")},
        {"lib.py": f"{FIND}# LEFT OUT\n"},
        set(),
    ),
    "C": (
        {"a.c": C_SOURCE},
        {"a.c": C_SOURCE.replace("return *find(1);", "return (*find(1;")},
        {"unknown a.c use"},
    ),
    "Java": (
        {"A.java": JAVA_SOURCE},
        {"A.java": JAVA_SOURCE.replace("return find(1).length();", "return (find(1.length(;")},
        {"unknown A.java A.use"},
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.one_in(3)
def test_what_depends_on_what_was_left_out_is_unknown(compare: Compare, case: str) -> None:
    base, head, expected = CASES[case]
    assert statuses(compare(base, head)) == expected


def linked(repo: Repo, name: str, target: str = "elsewhere") -> None:
    """A symbolic link in the place of a file or a folder."""
    path = repo.folder / name
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    path.symlink_to(target)


def a_link(repo: Repo) -> None:
    linked(repo, "lib/a.py")


def a_link_for_its_folder(repo: Repo) -> None:
    linked(repo, "lib")


def a_submodule_for_its_folder(repo: Repo) -> None:
    shutil.rmtree(repo.folder / "lib")
    head = repo.git("rev-parse", "HEAD")
    repo.git("rm", "-r", "--quiet", "--cached", "lib")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},lib")


def more_bytes_than_are_read(repo: Repo) -> None:
    (repo.folder / "lib/a.py").write_text(f"{BOTH}#{' ' * (64 << 20)}\n")


INSTEAD = {
    a_link: ("lib/a.py", "a symbolic link"),
    a_link_for_its_folder: ("lib", "a symbolic link"),
    a_submodule_for_its_folder: ("lib", "a submodule"),
    more_bytes_than_are_read: ("lib/a.py", ""),
}


@pytest.mark.parametrize("replace", INSTEAD)
def test_what_stands_in_the_place_of_a_file_leaves_it_out(
    repo: Repo, replace: Callable[[Repo], None], tmp_path: Path
) -> None:
    repo.commit({"lib/a.py": BOTH, "b.py": "x = 1\n"})
    replace(repo)
    if replace is not a_submodule_for_its_folder:
        repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "instead")
    report = reported(repo)
    assert statuses(report) == {"unknown lib/a.py use", "unknown lib/a.py other"}
    file, reason = INSTEAD[replace]
    [remark] = report.left_out
    assert remark.file == file and remark.reason.startswith(reason)
    assert all(each.unread[0].file == file for each in report.findings)
    (repo.folder / "b.py").write_text("x = 2\n")
    repo.git("add", "b.py")
    repo.git("commit", "--quiet", "--message", "later")
    assert not statuses(reported(repo)) and not reported(repo).left_out


@pytest.mark.parametrize("name", ["lib/a.py", "lib"])
def test_a_link_in_a_work_tree_leaves_out_what_was_there(repo: Repo, name: str) -> None:
    repo.commit({"lib/a.py": BOTH, "gone.py": BOTH})
    linked(repo, name)
    (repo.folder / "gone.py").unlink()
    report = reported(repo, "WORKTREE")
    assert statuses(report) == {
        "unknown lib/a.py use",
        "unknown lib/a.py other",
        "fixed gone.py use",
        "fixed gone.py other",
    }
    assert [(remark.file, remark.message) for remark in report.left_out] == [
        ("lib/a.py", "not analysed: a symbolic link")
    ]


def test_what_cannot_be_opened_in_a_work_tree_is_left_out(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.py": BOTH})
    opened = os.open

    def refusing(path: str | bytes, *arguments: Any, **options: Any) -> int:
        if path in (b"a.py", "a.py"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refusing)
    report = reported(repo, "WORKTREE")
    assert statuses(report) == {"unknown a.py use", "unknown a.py other"}
    assert [remark.message for remark in report.left_out] == ["not analysed: it cannot be read: Permission denied"]


def test_an_unknown_finding_is_explained_with_what_was_not_read(repo: Repo) -> None:
    repo.commit({"a.py": BOTH})
    linked(repo, "a.py")
    repo.commit()
    found = next(each for each in reported(repo).findings if each.function == "use")
    done = run("explain", found.fingerprint, repo.folder, "--base", "HEAD~1")
    assert done.returncode == 0, done
    assert f"{found.rule} in use: unknown, " in done.stdout
    assert "it depends on what was not analysed of the head: a.py:1\n    not analysed: a symbolic link\n" in done.stdout
    assert "the proof, each line with what it rests on below it" in done.stdout


def test_a_link_that_replaces_nothing_is_a_note(repo: Repo) -> None:
    repo.commit({"a.py": "x = 1\n"})
    (repo.folder / "b.py").symlink_to("a.py")
    repo.commit()
    [remark] = reported(repo).remarks
    assert (remark.file, remark.level) == ("b.py", "note")


PARTS = "x = = 1\n\n\ndef f():\n    return (1,, 2)\n\n\ndef g():\n    return 2\n"
LEVELS: dict[str, tuple[str | None, str, list[str]]] = {
    "a new file": (None, PARTS, ["warning", "warning"]),
    "what it had before": (PARTS, PARTS.replace("2\n", "3\n"), ["note", "note"]),
    "what moved": (PARTS, f"# moved\n{PARTS}", ["note", "note"]),
    "what is touched": (PARTS, PARTS.replace("(1,, 2)", "(1,, 3)"), ["note", "warning"]),
    "a part more": (PARTS, PARTS.replace("return 2\n", "return (3,, 4)\n"), ["note", "note", "warning"]),
    "a function that is touched": (
        "def f():\n    x = 1\n    return x\n# LEFT OUT f\n",
        "def f():\n    x = 2\n    return x\n# LEFT OUT f\n",
        ["warning"],
    ),
    "a function that is not": (
        "def f():\n    return 1\n\n\ndef g():\n    return 2\n# LEFT OUT f\n",
        "def f():\n    return 1\n\n\ndef g():\n    return 3\n# LEFT OUT f\n",
        ["note"],
    ),
    "a file that was left out before": ("x = 1\n# LEFT OUT\n", "x = 2\n# LEFT OUT\n", ["warning"]),
    "bytes that are no text": ("x = 1\n", "x = '\udcff'\n", ["note"]),
}


@pytest.mark.parametrize("case", LEVELS)
def test_what_concerns_the_change_is_a_warning(compare: Compare, case: str) -> None:
    base, head, expected = LEVELS[case]
    before: dict[str, str | bytes | None] = {"b.py": PARTS}
    if base is not None:
        before["a.py"] = base
    report = compare(before, {"a.py": head.encode("utf-8", "surrogateescape")})
    assert [remark.level for remark in report.remarks] == expected
    assert {remark.file for remark in report.remarks} == {"a.py"}  # b.py, which nobody changed, stays quiet


def test_skipped_files_fail_a_check_that_is_asked_to(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": BOTH, "pliant.toml": "fail-on-skipped = true\n", "sub/b.py": "x = 1\n"})
    repo.commit({"a.py": f"x = = 1\n{BOTH}"})
    done = run("check", repo.folder, "--base", "HEAD~1")
    assert done.returncode == 1
    assert "a.py:1: warning a part of the file is not analysed: not valid Python here\n" in done.stdout
    assert done.stdout.endswith("| fails because of what was not analysed\n")
    assert "| not analysed: a part of a.py |" in done.stdout
    assert run("check", repo.folder, "--base", "HEAD~1", "--no-fail-on-skipped").returncode == 0
    named = tmp_path / "named.toml"
    named.write_text("[[projects]]\npath = 'sub'\nfail-on-skipped = true\n")
    asked = ["check", repo.folder, "--base", "HEAD~1", "--config", named]
    assert run(*asked).returncode == 0
    assert run(*asked, "--fail-on-skipped").returncode == 1
    repo.commit({"sub/b.py": "x = = 1\n"})
    assert run(*asked).returncode == 1


def test_lifetimes_outlast_what_could_not_be_read(repo: Repo, tmp_path: Path) -> None:
    """What is there again goes on; what is not is gone, and what was not read at the end is unknown."""
    source = {name: f"{FIND}\n\ndef use_{name}(key):\n    return find(key).name\n" for name in "abcd"}
    repo.commit({"z.py": "x = 1\n"})
    repo.commit({f"{name}.py": text for name, text in source.items()}, "they come")
    for name in ("a.py", "b.py"):
        linked(repo, name)
    repo.commit({f"{name}.py": f"x = {'(' * 9}\n{source[name]}" for name in "cd"}, "none can be read")
    repo.commit({"z.py": "x = 2\n"}, "beside")
    for name in ("a.py", "b.py"):
        (repo.folder / name).unlink()
    repo.commit({"a.py": source["a"], "b.py": FIND, "c.py": source["c"]}, "three can be read")
    linked(repo, "a.py")
    repo.commit(message="one cannot be read")
    request = HistoryRequest(repo.folder, tmp_path / "out", Range("main"), tmp_path / "state", jobs=1)
    totals = history(request, pytest.fail).totals
    findings, changes, commits = (
        pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist() for name in ("findings", "changes", "commits")
    )
    assert {row["file"]: (row["began"], row["ended"], row["last_position"], row["commits"]) for row in findings} == {
        "a.py": ("new", "unknown", None, 5),
        "b.py": ("new", "gone", 4, 3),
        "c.py": ("new", "open", None, 5),
        "d.py": ("new", "unknown", None, 5),
    }
    told = [(row["position"], row["status"], row["file"]) for row in changes]
    files = ("a.py", "b.py", "c.py", "d.py")
    assert told == [
        *((1, "new", file) for file in files),
        *((2, "unknown", file) for file in files),
        (4, "new", "a.py"),  # all of its lines are in the diff
        (4, "unknown", "c.py"),
        (5, "unknown", "a.py"),
    ]
    assert all(findings[row["finding"]]["file"] == row["file"] for row in changes)
    assert (totals.introduced, totals.fixed, totals.open, totals.unknown) == (5, 0, 1, 2)
    left_out = [[each["file"] for each in commit["left_out"]] for commit in commits]
    assert left_out == [[], [], [*files], [], [], ["a.py"]]
    verdict = verify(request.folder, request.out, None, None, pytest.fail, state=tmp_path / "checks")
    assert verdict.compared == 5 and not verdict.different


def test_a_queue_tells_what_was_not_read(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.py": BOTH})
    repo.git("checkout", "--quiet", "-b", "links")
    linked(repo, "a.py")
    repo.commit()
    asked = queue.Request(repo.folder, "main", ("links",), tmp_path / "state")
    [step] = queue.queue(asked).steps
    assert not step.new and not step.fixed
    assert {each.function for each in step.unknown} == {"use", "other"}
    assert [remark.message for remark in step.not_analysed] == ["not analysed: a symbolic link"]
    told = run("queue", "links", "--base", "main", "--repo", repo.folder).stdout
    assert "0 new, 0 fixed, 2 unknown\n" in told
    assert "   warning: a.py:1: not analysed: a symbolic link\n" in told
