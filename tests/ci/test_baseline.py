"""`pliant baseline` and `check --baseline`: what a baseline silences, what it does not, and that it only shrinks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, run
from repos import Repo

NAME = """import re


def {name}(line):
    found = re.match("a", line)
    return found.group()
"""
ONE, TWO = NAME.format(name="one"), NAME.format(name="two").removeprefix("import re\n")


@pytest.fixture
def old(repo: Repo, tmp_path: Path) -> Repo:
    """A repository with two findings, and a baseline beside it that has both."""
    repo.commit({"a.py": ONE + TWO})
    done = run("baseline", "write", repo.folder, "--baseline", tmp_path / "b.json")
    assert done.returncode == 0 and "2 findings" in done.stdout, done
    return repo


def report(repo: Repo, *options: str | Path) -> dict[str, list[dict[str, object]]]:
    done = run("check", repo.folder, "--format", "json", *options)
    assert done.returncode in (0, 1), done.stderr
    read: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
    return read


def test_a_baseline_reads_well(old: Repo, tmp_path: Path) -> None:
    text = (tmp_path / "b.json").read_text()
    lines = [line for line in text.splitlines() if '"rule"' in line]
    assert ['"function": "one"' in line for line in lines] == [True, False]
    assert all(key in lines[0] for key in ("null.attribute", "a.py", "may be None"))
    assert json.loads(text)["schema"] == "pliant-baseline/1"


def test_what_is_in_the_baseline_is_silent_wherever_it_goes(old: Repo, tmp_path: Path) -> None:
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"a.py": None, "b.py": f"import os\n\n\n{TWO}\n{ONE}"})
    found = report(old, "--base", "main", "--head", "pr", "--all", "--baseline", tmp_path / "b.json")
    assert found["findings"] == []
    assert [finding["suppressed"]["by"] for finding in found["suppressed"]] == ["baseline"] * 2  # type: ignore[index]


def test_a_like_finding_in_another_file_is_not_in_it(old: Repo, tmp_path: Path) -> None:
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"a0.py": ONE, "z.py": ONE})
    found = report(old, "--base", "main", "--head", "pr", "--all", "--baseline", tmp_path / "b.json")
    assert sorted(str(finding["file"]) for finding in found["findings"]) == ["a0.py", "z.py"]


def test_another_null_at_the_same_place_is_not_in_it(old: Repo, tmp_path: Path) -> None:
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"a.py": ONE.replace("    return", "    if line:\n        found = None\n    return") + TWO})
    found = report(old, "--base", "main", "--head", "pr", "--baseline", tmp_path / "b.json")
    assert [finding["status"] for finding in found["findings"]] == ["new"]


def test_a_baseline_only_shrinks(old: Repo, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    before = json.loads(file.read_text())["findings"]
    old.commit({"a.py": ONE + NAME.format(name="three").removeprefix("import re\n")})
    done = run("baseline", "check", old.folder, "--baseline", file)
    assert done.returncode == 1 and "no longer found: a.py two" in done.stdout
    done = run("baseline", "write", old.folder, "--baseline", file)
    assert "1 of 2 entries taken out; left out, because a baseline only shrinks: 1 finding\n" in done.stdout
    after = json.loads(file.read_text())["findings"]
    assert after == [entry for entry in before if entry["function"] == "one"]
    assert run("baseline", "check", old.folder, "--baseline", file).returncode == 0


def test_what_was_not_analysed_keeps_its_entries(old: Repo, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    before = file.read_text()
    (old.folder / "a.py").unlink()
    (old.folder / "a.py").symlink_to("elsewhere.py")
    old.commit()
    done = run("baseline", "check", old.folder, "--baseline", file)
    assert done.returncode == 0 and done.stdout.count("not analysed: a.py ") == 2, done
    assert done.stdout.endswith("2 entries, 0 found\n")
    done = run("baseline", "write", old.folder, "--baseline", file)
    assert done.stdout.endswith("0 of 2 entries taken out; 2 entries kept, because the code was not analysed\n")
    assert file.read_text() == before


def test_an_entry_that_a_change_adds_is_refused(old: Repo, tmp_path: Path) -> None:
    inside = old.folder / "pliant-baseline.json"
    whole = json.loads((tmp_path / "b.json").read_text())
    shorter = {**whole, "findings": whole["findings"][:1]}
    old.commit({"pliant-baseline.json": json.dumps(shorter)})
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"pliant-baseline.json": json.dumps(whole)})
    done = run("baseline", "check", old.folder, "--baseline", inside, "--base", "main", "--head", "pr")
    assert done.returncode == 1 and "not in the base's: a.py two" in done.stdout
    old.commit({"pliant-baseline.json": json.dumps(shorter)})
    assert run("baseline", "check", old.folder, "--baseline", inside, "--base", "main").returncode == 0


def test_the_configuration_names_the_baseline_of_the_base(old: Repo, tmp_path: Path) -> None:
    whole = json.loads((tmp_path / "b.json").read_text())
    empty = {**whole, "findings": []}
    old.commit({"pliant.toml": 'baseline = "known.json"\n', "known.json": json.dumps(empty)})
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"known.json": json.dumps(whole)})
    found = report(old, "--base", "main", "--head", "pr", "--all")
    assert len(found["findings"]) == 2, "a pull request does not choose what is silenced"
    found = report(old, "--base", "pr", "--head", "pr", "--all")
    assert found["findings"] == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no", "it is not JSON"),
        ("[]", '"schema": "pliant-baseline/1"'),
        ('{"schema": "pliant-baseline/1"}', 'a list as "findings"'),
        ('{"schema": "pliant-baseline/1", "findings": [{}]}', "findings[0]"),
        ('{"schema": "pliant-baseline/1", "findings": [' + '{"rule": 1, "file": "", "function": "", "message": "", '
         '"ways": ["a"]}]}', "findings[0].rule"),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_one_line(old: Repo, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    assert says in refused("check", old.folder, "--base", "HEAD", "--baseline", tmp_path / "bad.json")
    assert "cannot be read" in refused("check", old.folder, "--base", "HEAD", "--baseline", tmp_path / "none.json")
