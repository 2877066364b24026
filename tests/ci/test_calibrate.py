"""`pliant calibrate`: what a repository has fixed, and checks that know it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow.parquet
import pytest
from command_line import refused, run
from repos import Repo

KINDS = range(12)
FINDS = "def find_{0}(key):\n    if key > {0}:\n        return None\n    return key\n\n\n"
USES_OWN = "def own_{0}(key):\n    return find_{0}(key).name\n\n\n"
TESTS_OWN = "def own_{0}(key):\n    found = find_{0}(key)\n    return found.name if found is not None else ''\n\n\n"
USES_LIBRARY = "def library_{0}(text):\n    return re.match('{0}+', text).end()\n\n\n"


def source(uses_own: str) -> str:
    parts = [part.format(number) for number in KINDS for part in (FINDS, uses_own, USES_LIBRARY)]
    return "import re\n\n\n" + "".join(parts)


@pytest.fixture
def history(repo: Repo) -> Repo:
    """Twelve nulls of the repository's own functions were fixed, twelve of the library's were not."""
    repo.commit({"shop.py": source(USES_OWN)})
    repo.commit({"shop.py": source(TESTS_OWN)})
    return repo


def probabilities(repo: Repo, *options: str | Path) -> dict[str, float]:
    done = run("check", repo.folder, "--base", "HEAD~1", "--format", "json", "--all", *options)
    found = json.loads(done.stdout)["findings"]
    return {each["function"]: each["probability"] for each in found if each["status"] == "new"}


def test_a_check_knows_what_the_repository_fixes(history: Repo, tmp_path: Path) -> None:
    out = history.folder / "pliant-calibration.toml"
    done = run("calibrate", "HEAD~1", history.folder, "--out", out)
    assert done.returncode == 0, done.stderr
    assert (
        f"{out}: 12 nulls fixed since HEAD~1, 12 still there; what became of nulls that were left out has a"
        in done.stdout
    )
    assert "# 12 nulls were fixed, and 12 are still there.\n" in out.read_text()
    history.commit({"pliant.toml": "calibration = 'pliant-calibration.toml'\n"})
    history.commit({"new.py": f"import re\n\n\n{FINDS.format(20)}{USES_OWN.format(20)}{USES_LIBRARY.format(20)}"})
    without = tmp_path / "none.toml"
    without.write_text("")
    usual, found = probabilities(history, "--config", without), probabilities(history)
    assert found["own_20"] > usual["own_20"]
    assert found["library_20"] < usual["library_20"]
    report = run("check", history.folder, "--base", "HEAD~1", "--format", "json", "--all").stdout
    [name] = [each["fingerprint"] for each in json.loads(report)["findings"] if each["function"] == "own_20"]
    explained = run("explain", name, history.folder, "--base", "HEAD~1").stdout
    assert f"true with a probability of {found['own_20']:.2f}" in explained


def test_a_history_knows_the_calibration_of_its_last_commit(history: Repo, tmp_path: Path) -> None:
    history.commit({"own.toml": "bias = 9\n", "pliant.toml": "calibration = 'own.toml'\n"})
    history.commit({"new.py": f"import re\n\n\n{USES_LIBRARY.format(20)}"})
    (tmp_path / "none.toml").write_text("")
    none = ("--config", tmp_path / "none.toml")
    sure = []
    for name, options in (("own", ()), ("none", none)):
        done = run("history", "HEAD~1..HEAD", history.folder, "--out", tmp_path / name, *options)
        assert done.returncode == 0, done.stderr
        findings = pyarrow.parquet.read_table(tmp_path / name / "findings.parquet").to_pylist()
        sure += [each["probability"] > 0.9 for each in findings if each["function"] == "library_20"]
    assert sure == [True, False]
    line = refused("history", "HEAD~1..HEAD", history.folder, "--out", tmp_path / "own", *none)
    assert "holds another history" in line, "windows are not taken from one with another calibration"


def test_a_history_that_tells_nothing_writes_nothing(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": source(USES_OWN)})
    repo.commit({"other.py": "x = 1\n"})
    done = run("calibrate", "HEAD~1", repo.folder, "--out", tmp_path / "none.toml")
    [line] = done.stdout.splitlines()
    assert line == (
        "nothing is written: 0 nulls fixed since HEAD~1, 24 still there, which do not tell more than the usual weights"
    )
    assert not (tmp_path / "none.toml").exists()


def test_code_that_is_gone_or_rewritten_is_no_fix(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"shop.py": source(USES_OWN)})
    gone = source(USES_OWN.replace("find_{0}(key).name", "key"))
    repo.commit({"shop.py": gone})
    done = run("calibrate", "HEAD~1", repo.folder, "--out", tmp_path / "none.toml")
    assert "0 nulls fixed since HEAD~1, 12 still there" in done.stdout


def test_a_file_that_cannot_be_written_is_one_line(history: Repo, tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "calibration.toml"
    assert refused("calibrate", "HEAD~1", history.folder, "--out", out) == (
        f"pliant: {out} cannot be written: No such file or directory"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bias = 'x'", "bias: expected a number from -100 to 100, found 'x'"),
        ("[weights]\n'orign: call' = 1", "there is no feature 'orign: call'"),
    ],
)
def test_a_wrong_calibration_is_one_line(repo: Repo, tmp_path: Path, text: str, said: str) -> None:
    repo.commit({"a.py": "x = 1\n", "of.toml": text, "pliant.toml": "calibration = 'of.toml'\n"})
    line = refused("check", repo.folder, "--base", "HEAD")
    assert "pliant.toml of HEAD: calibration: of.toml: " in line
    assert said in line
    (tmp_path / "c.toml").write_text("calibration = 'none.toml'\n")
    line = refused("check", repo.folder, "--base", "HEAD", "--config", tmp_path / "c.toml")
    assert line.endswith(f"calibration: 'none.toml' cannot be read: {os.strerror(2)}")
