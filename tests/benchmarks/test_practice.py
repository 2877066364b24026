"""How often programs test what a library gives, counted in a repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from benchmark_command import run

SOURCE = """import re


def tested(text):
    found = re.match("a", text)
    return found.group() if found is not None else ""


def used(text):
    return re.match("a", text).group()
"""
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C")


def test_calls_are_counted_but_not_those_of_tests(tmp_path: Path) -> None:
    clone, lists = tmp_path / "acme+shop", tmp_path / "lists"
    (clone / "tests").mkdir(parents=True)
    lists.mkdir()
    for name in ("shop.py", "more.py", "tests/test_shop.py"):
        (clone / name).write_text(SOURCE if name != "more.py" else SOURCE[: SOURCE.index("def used")])
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "all")):
        subprocess.run([*GIT, str(clone), *command], check=True)
    head = subprocess.run([*GIT, str(clone), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    entry = '[[large]]\nlanguage = "python"\nrepository = "acme/{}"\nbase = "{}"\nhead = "{}"\n\n'
    commit = head.stdout.strip()
    (lists / "large.toml").write_text("".join(entry.format(name, commit, commit) for name in ("shop", "gone", "left")))
    pliant = shutil.which("pliant", path=str(Path(sys.executable).parent)) or "pliant"
    options = ("--lists", str(lists), "--skip", "acme/left", "--state", str(tmp_path / "state"), "--pliant", pliant)
    done = run("fixes/practice.py", str(tmp_path), *options)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["functions"]["python"] == {"re.match": [2, 1]}
    assert "no clone of acme/gone" in done.stderr and "acme/left" not in done.stderr
