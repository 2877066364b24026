"""The miner of fixes, on a repository with one fix and what only looks like one."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS
from repos import MakeRepo

sys.path.insert(0, str(BENCHMARKS / "corpus"))

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
    repo.commit({file: before})
    fix = repo.commit({file: after}, message="Do not crash for a null item")
    repo.commit({file: before}, message="Crash for a null item again")
    repo.commit({file: after}, message="Say less")  # the message speaks of nothing
    repo.commit({f"tests/{file}": before}, message="Test a crash")
    repo.commit({f"tests/{file}": after}, message="Test a crash for null")  # of tests alone
    repo.commit({file: after.replace("price", "cost")}, message="No crash: another name")  # no new test
    folder = Path(repo.folder)
    assert list(mine.mined(folder, "HEAD", language)) == [mine.Mined(fix, file, function)]
    [entry] = tomllib.loads(mine.entry("acme/shop", "tuning", mine.Mined(fix, file, function)))["fix"]
    assert entry == {"repository": "acme/shop", "commit": fix, "file": file, "function": function, "set": "tuning"}


def test_what_is_no_dereference_is_no_fix(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": "def f(x):\n    return g(x)\n"})
    repo.commit({"a.py": "def f(x):\n    return g(x) if x is not None else 0\n"}, message="Fix a crash")
    assert list(mine.mined(Path(repo.folder), "HEAD", "python")) == []
