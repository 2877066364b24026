"""What became of tests of null that commits removed, on a repository in which one came back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS
from repos import MakeRepo

sys.path.insert(0, str(BENCHMARKS / "fixes"))

import lists
import removed

TESTED = """\
def one(item):
    if item is None:
        return 0
    return item.price


def two(shop):
    if shop.owner is not None:
        shop.owner.pay()


def three(shop):
    owner = shop.find()
    if owner is None:
        return
    owner.pay()
"""
WITHOUT = """\
def one(item):
    return item.price


def two(shop):
    shop.owner.pay()


def three(shop):
    owner = shop.find()
    owner.pay()
"""
_TESTED_ONE, _USED_TWO = TESTED.partition("\n\n\n")[0], WITHOUT.split("\n\n\n")[1]
LATER = f"{_TESTED_ONE}\n\n\n{_USED_TWO}\n"


def test_each_removed_test_is_told_with_what_became_of_it(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"shop.py": TESTED, "tests/test_shop.py": TESTED})
    commit = repo.commit({"shop.py": WITHOUT, "tests/test_shop.py": WITHOUT})
    head = repo.commit({"shop.py": LATER})
    wanted = lists.Ordinary("python", "acme/shop", head, 10)
    found = {each.function: each for each in removed.removed(Path(repo.folder), wanted)}
    assert {name: each.became for name, each in found.items()} == {
        "one": removed.BACK,
        "two": removed.STAYS,
        "three": removed.GONE,
    }
    assert {each.commit for each in found.values()} == {commit}
    assert {each.path for each in found.values()} == {"item", "shop.owner", "shop.find()"}


def test_a_use_that_was_untested_before_is_none(make_repo: MakeRepo) -> None:
    repo = make_repo()
    before = "def f(shop):\n    shop.owner.ask()\n    if shop.owner is not None:\n        shop.owner.pay()\n"
    repo.commit({"shop.py": before})
    head = repo.commit({"shop.py": "def f(shop):\n    shop.owner.ask()\n    shop.owner.pay()\n"})
    assert list(removed.removed(Path(repo.folder), lists.Ordinary("python", "acme/shop", head, 10))) == []


def test_the_command_prints_a_table(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo()
    repo.commit({"shop.py": TESTED})
    repo.commit({"shop.py": WITHOUT})
    head = repo.git("rev-parse", "HEAD").strip()
    mirrors = tmp_path / "mirrors"
    mirrors.mkdir()
    (mirrors / "shop").symlink_to(repo.folder)
    entry = f'[[ordinary]]\nlanguage = "python"\nrepository = "acme/shop"\nhead = "{head}"\ncount = 5\n'
    (tmp_path / "ordinary.toml").write_text(entry)
    listed = tmp_path / "listed"
    command = ["removed.py", "python", str(mirrors), "--lists", str(tmp_path), "--listed", str(listed)]
    monkeypatch.setattr(sys, "argv", command)
    removed.main()
    line = next(line for line in capsys.readouterr().out.splitlines() if "acme" in line)
    assert line.replace(" ", "") == "|acme/shop|2|3|0|3|0|"
    assert listed.read_text().count("\n") == 3
