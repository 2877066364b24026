"""`pliant baseline` and `check --baseline`: what a baseline silences and what not, that it shrinks, and reviews."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import refused, run
from repos import Repo

from pliant.analyses.baseline import STATES
from pliant.ci.commands.baseline import State

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
    assert json.loads(text)["schema"] == "pliant-baseline/2"


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


def test_a_baseline_of_the_first_format_is_read(old: Repo, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text(file.read_text().replace("pliant-baseline/2", "pliant-baseline/1"))
    assert report(old, "--base", "main", "--all", "--baseline", file)["findings"] == []


def test_the_baseline_that_the_configuration_names_is_not_emptied(old: Repo, tmp_path: Path) -> None:
    text = (tmp_path / "b.json").read_text()
    old.commit({"pliant.toml": 'baseline = "pliant-baseline.json"\n', "pliant-baseline.json": text})
    inside = old.folder / "pliant-baseline.json"
    assert "0 of 2 entries taken out" in run("baseline", "write", old.folder, "--baseline", inside).stdout
    assert inside.read_text() == text
    assert run("baseline", "check", old.folder, "--baseline", inside).returncode == 0


def test_what_a_reviewer_says_is_kept_and_told(old: Repo, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"c.py": NAME.format(name="three")})
    [new] = report(old, "--base", "main", "--head", "pr", "--baseline", file)["findings"]
    where = ("--repo", old.folder, "--baseline", file)
    known = ("baseline", "mark", "a.py:6", "--as", "will-fix", "--reason", "in the next release")
    assert "1 finding marked as will-fix" in run(*known, *where).stdout
    done = run(
        "baseline", "mark", str(new["fingerprint"]), "--as", "false-positive", "--reason", " it is there ", *where
    )
    assert "marked as false-positive" in done.stdout
    entries = {each["function"]: each for each in json.loads(file.read_text())["findings"]}
    assert {name: (each.get("state"), each.get("reason")) for name, each in entries.items()} == {
        "one": ("will-fix", "in the next release"),
        "two": (None, None),
        "three": ("false-positive", "it is there"),
    }
    found = report(old, "--base", "main", "--head", "pr", "--all", "--baseline", file)
    said = {each["function"]: each["suppressed"] for each in found["suppressed"]}
    assert found["findings"] == [] and said["three"] == {
        "by": "baseline", "reason": "it is there", "file": "", "line": 0, "state": "false-positive",
    }  # fmt: skip
    text = run("check", old.folder, "--base", "main", "--head", "pr", "--all", "--baseline", file).stdout
    assert "  it is in the baseline, as false-positive: it is there\n" in text
    again = ("baseline", "mark", "a.py:6", "--as", "intentional", "--reason", "as it is meant")
    assert run(*again, *where).returncode == 0
    assert [each["state"] for each in json.loads(file.read_text())["findings"] if "state" in each] == [
        "intentional",
        "false-positive",
    ]


def test_only_an_entry_with_a_review_may_be_added(old: Repo, tmp_path: Path) -> None:
    old.commit({"pliant-baseline.json": (tmp_path / "b.json").read_text()})
    old.git("checkout", "--quiet", "-b", "pr")
    old.commit({"c.py": NAME.format(name="three")})
    inside = old.folder / "pliant-baseline.json"
    checked = ("baseline", "check", old.folder, "--baseline", inside, "--base", "main")
    run(
        "baseline",
        "mark",
        "c.py:6",
        "--as",
        "intentional",
        "--reason",
        "so",
        "--repo",
        old.folder,
        "--baseline",
        inside,
    )
    assert run(*checked).returncode == 0
    inside.write_text(inside.read_text().replace(', "state": "intentional", "reason": "so"', ""))
    done = run(*checked)
    assert done.returncode == 1 and "1 entry added without a review state" in done.stdout


def test_the_command_has_every_state() -> None:
    assert tuple(State) == STATES


def test_what_cannot_be_marked_is_one_line(old: Repo) -> None:
    mark = ("baseline", "mark", "a.py:1", "--as", "intentional", "--repo", old.folder)
    assert "HEAD has no finding a.py:1: expected a fingerprint or FILE:LINE" in refused(*mark, "--reason", "so")
    assert "--reason is empty" in refused(*mark, "--reason", " ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no", "it is not JSON"),
        ("[]", '"schema": "pliant-baseline/2"'),
        ('{"schema": "pliant-baseline/1"}', 'a list as "findings"'),
        ('{"schema": "pliant-baseline/1", "findings": [{}]}', "findings[0]"),
        ('{"schema": "pliant-baseline/1", "findings": [' + '{"rule": 1, "file": "", "function": "", "message": "", '
         '"ways": ["a"]}]}', "findings[0].rule"),
        ('{"schema": "pliant-baseline/2", "findings": [{"rule": "", "file": "", "function": "", "message": "", '
         '"ways": ["a"], "state": "right", "reason": ""}]}', "findings[0].state: expected one of false-positive, "),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_one_line(old: Repo, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    assert says in refused("check", old.folder, "--base", "HEAD", "--baseline", tmp_path / "bad.json")
    assert "cannot be read" in refused("check", old.folder, "--base", "HEAD", "--baseline", tmp_path / "none.json")
