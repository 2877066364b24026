"""The miner of fixes, on a repository with one fix and what only looks like one."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS
from repos import MakeRepo

sys.path.insert(0, str(BENCHMARKS / "corpus"))

sys.path.insert(0, str(BENCHMARKS / "fixes"))

import lists
import mine

PYTHON = "class Shop:\n    def price(self, item):\n        return item.price\n"
JAVA = "class Shop { int price(Item item) { return item.price; } }\n"
C = "int price(struct item *item)\n{\n    return item->price;\n}\n"
FIXED = {
    "python": ("shop.py", PYTHON, PYTHON.replace("item.price", "item.price if item is not None else 0"), "Shop.price"),
    "java": ("Shop.java", JAVA, JAVA.replace("item.price", "item == null ? 0 : item.price"), "Shop.price"),
    "c": ("shop.c", C, C.replace("item->price", "item ? item->price : 0"), "price"),
}


@pytest.mark.parametrize("language", mine.LANGUAGES)
def test_a_commit_that_adds_a_test_of_what_is_used_is_a_fix(language: str, make_repo: MakeRepo) -> None:
    file, before, after, function = FIXED[language]
    repo = make_repo()
    repo.commit({"README": "A shop\n"})
    bug = repo.commit({f"old-{file}": before})
    repo.git("mv", f"old-{file}", file)
    repo.commit({})
    fix = repo.commit({file: after}, message="Do not crash for a null item")
    repo.commit({file: before}, message="Crash for a null item again")
    repo.commit({file: after}, message="Say less")  # the message speaks of nothing
    repo.commit({f"tests/{file}": before}, message="Test a crash")
    repo.commit({f"tests/{file}": after}, message="Test a crash for null")  # of tests alone
    repo.commit({file: after.replace("price", "cost")}, message="No crash: another name")  # no new test
    folder = Path(repo.folder)
    found = mine.Mined(fix, file, function, "parameter", bug, f"old-{file}")
    assert list(mine.mined(folder, "HEAD", language)) == [found]
    [entry] = tomllib.loads(mine.entry("acme/shop", "tuning", found))["fix"]
    assert lists.Fix(**entry) == lists.Fix(
        "acme/shop", fix, file, function, "tuning", what="parameter", introduced=bug, introduced_file=f"old-{file}"
    )


def test_what_is_no_dereference_is_no_fix(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": "def f(x):\n    return g(x)\n"})
    repo.commit({"a.py": "def f(x):\n    return g(x) if x is not None else 0\n"}, message="Fix a crash")
    assert list(mine.mined(Path(repo.folder), "HEAD", "python")) == []


def test_what_is_tested_is_told(make_repo: MakeRepo) -> None:
    uses = {"attribute": "self.a", "result": "g()", "element": "c[0]", "variable": "v"}
    before = "".join(f"def {what}(self, c):\n    return {text}.name\n" for what, text in uses.items())
    repo = make_repo()
    repo.commit({"a.py": before})
    for what, text in uses.items():
        before = before.replace(f"return {text}.name", f"return {text}.name if {text} is not None else 0")
        repo.commit({"a.py": before}, message=f"Fix a crash in {what}")
    mined = list(mine.mined(Path(repo.folder), "HEAD", "python"))
    assert [(each.function, each.what) for each in reversed(mined)] == [(what, what) for what in uses]
    assert not any(each.introduced for each in mined)  # a first commit is no pull request


def test_a_test_for_something_empty_is_no_fix_unless_null_is_named(make_repo: MakeRepo) -> None:
    before, after = "def f(x):\n    return x[0]\n", "def f(x):\n    return x[0] if x else 0\n"
    repo = make_repo()
    repo.commit({"a.py": before})
    repo.commit({"a.py": after}, message="Fix a crash for an empty list")
    assert list(mine.mined(Path(repo.folder), "HEAD", "python")) == []
    repo.commit({"b.py": before})
    repo.commit({"b.py": after}, message="Fix a crash for None")
    assert [each.file for each in mine.mined(Path(repo.folder), "HEAD", "python")] == ["b.py"]


def test_a_fix_that_another_branch_got_counts_once(make_repo: MakeRepo) -> None:
    before, after = "def f(x):\n    return x.y\n", "def f(x):\n    return x.y if x else 0\n"
    repo = make_repo()
    for text in (before, after, before):
        repo.commit({"a.py": text}, message="Fix a crash")
    newest = repo.commit({"a.py": after}, message="Fix a crash (backport)")
    assert [each.commit for each in mine.mined(Path(repo.folder), "HEAD", "python")] == [newest]
