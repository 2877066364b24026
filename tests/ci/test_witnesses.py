"""What the report says of a finding that no execution reaches."""

from __future__ import annotations

import html

import pytest
from command_line import checked, run
from repos import MakeRepo

READ = """
def read(path):
    if path == "":
        return 1, None
    return 0, path.read()
"""
USES = """
def surely(path):
    status, text = read(path)
    return status if status != 0 else text.strip()


def perhaps(path):
    status, text = read(path)
    return status if status == 0 else text.strip()
"""


def test_a_refuted_finding_has_low_confidence_and_is_told_with_all_alone(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    shown = {each["function"]: each for each in checked(repo, "--base", "main")["findings"]}
    assert set(shown) == {"perhaps"}
    when = {"file": "a.py", "line": 3, "function": "read", "text": 'path == ""', "value": "true"}
    assert shown["perhaps"]["witness"] == {"verdict": "witnessed", "reason": "", "conditions": [when]}
    listed = {each["function"]: each for each in checked(repo, "--base", "main", "--all")["findings"]}
    assert listed["surely"]["witness"] == {"verdict": "refuted", "reason": "", "conditions": []}
    assert listed["surely"]["confidence"] == "low" != listed["perhaps"]["confidence"]
    done = run("check", repo.folder, "--base", "main", "--all")
    assert done.stdout.count("(confidence low)") == 1


def test_what_is_fixed_is_asked_about_too(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ + USES})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ})
    found = {each["function"]: each["witness"]["verdict"] for each in checked(repo, "--base", "main")["findings"]}
    assert found == {"surely": "refuted", "perhaps": "witnessed"}


@pytest.mark.parametrize("form", ["text", "markdown", "sarif", "github", "gitlab", "junit", "rdjson"])
def test_reports_say_when_it_fails(make_repo: MakeRepo, form: str) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    told = run("check", repo.folder, "--base", "main", "--format", form).stdout
    plain = html.unescape(told).replace("\\", "")
    assert 'Fails when `path == ""` in `read` is true.' in plain


def test_explain_says_when_it_fails_and_what_is_refuted(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ + USES})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"b.py": ""})
    listed = {each["function"]: each for each in checked(repo, "--base", "main", "--all")["findings"]}
    assert listed["perhaps"]["status"] == "unchanged" and listed["perhaps"]["witness"] is None
    done = run("explain", listed["perhaps"]["fingerprint"], repo.folder, "--base", "main")
    assert 'it fails when:\n  `path == ""` is true\n     a.py:3 | if path == "":' in done.stdout
    done = run("explain", listed["surely"]["fingerprint"], repo.folder, "--base", "main")
    assert "  refuted: on no way that the rules know does the null come here" in done.stdout
