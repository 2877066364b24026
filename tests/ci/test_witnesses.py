"""What the report says of a finding that no execution reaches."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from command_line import checked, refused, run
from in_memory import compared
from repos import MakeRepo

from pliant.analyses.findings import Witness
from pliant.analyses.witness.judge import Court
from pliant.analyses.witness.route import Frame
from pliant.ci.check import verify
from pliant.ci.comparison import Request
from pliant.ci.history import tables

READ = """
def read(path):
    if path == "":
        return 1, None
    return 0, path.read()
"""
REFUTED = """
  refuted: on no way that the rules know does the null come here
    `status == 0` is false where the null comes, and true where it is used
       a.py:9 | return status if status != 0 else text.strip()
"""
USES = """
def surely(path):
    status, text = read(path)
    return status if status != 0 else text.strip()


def perhaps(path):
    status, text = read(path)
    return status if status == 0 else text.strip()
"""


def test_a_refuted_finding_is_unlikely_and_is_told_with_all_alone(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    shown = {each["function"]: each for each in checked(repo, "--base", "main")["findings"]}
    assert set(shown) == {"perhaps"}
    when = {"file": "a.py", "line": 3, "function": "read", "text": 'path == ""', "value": "true"}
    assert shown["perhaps"]["witness"] == {
        "verdict": "witnessed",
        "reason": "",
        "conditions": [when],
        "contradictions": [],
    }
    listed = {each["function"]: each for each in checked(repo, "--base", "main", "--all")["findings"]}
    assert listed["surely"]["witness"] == {"verdict": "refuted", "reason": "", "conditions": [], "contradictions": []}
    assert listed["surely"]["unlikely"] and listed["surely"]["confidence"] == "low"
    assert listed["surely"]["probability"] < listed["perhaps"]["probability"]
    assert not listed["perhaps"]["unlikely"]
    done = run("check", repo.folder, "--base", "main", "--all")
    assert done.stdout.count("(unlikely)") == 1


def test_a_refuted_use_does_not_stand_for_one_that_fails() -> None:
    source = """import re
def year(text, count):
    found = re.match("[0-9]+", text)
    if found is None and count > 3:
        return 0
    if count > 4:
        found.start()
    return found.group()
"""
    told = compared({"dates.py": "import re\n"}, {"dates.py": source})
    assert [(each.line, each.is_unlikely, each.also) for each in told] == [(7, True, []), (8, False, [])]


def test_what_is_fixed_is_asked_about_too(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ + USES})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ})
    found = {each["function"]: each["witness"] for each in checked(repo, "--base", "main", "--all")["findings"]}
    assert {name: each["verdict"] for name, each in found.items()} == {"surely": "refuted", "perhaps": "witnessed"}
    report = checked(repo, "--base", "main")
    assert [each["function"] for each in report["findings"]] == ["perhaps"] and report["summary"]["unlikely"] == 1


def test_a_queue_tells_what_a_check_tells(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    done = run("queue", "--repo", repo.folder, "--base", "main", "pr", "--format", "json")
    [step] = json.loads(done.stdout)["steps"]
    assert [each["function"] for each in step["new"]] == ["perhaps"] and step["unlikely"] == 1
    done = run("queue", "--repo", repo.folder, "--base", "main", "pr")
    assert "1 new, 0 fixed, 1 unlikely" in done.stdout


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
    assert REFUTED in done.stdout


def test_what_is_refuted_is_listed_with_why(make_repo: MakeRepo) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    told = run("explain", "--refuted", repo.folder, "--base", "main").stdout
    assert REFUTED in told and told.endswith("\n1 finding refuted\n") and "perhaps" not in told
    [listed] = json.loads(run("explain", "--refuted", repo.folder, "--base", "main", "--json").stdout)
    [why] = listed["finding"]["witness"]["contradictions"]
    assert (why["condition"]["line"], why["condition"]["value"], why["otherwise"]) == (9, "false", "true")
    assert "give no FINGERPRINT" in refused("explain", "--refuted", "abc", repo.folder)
    assert "or --refuted" in refused("explain", cwd=repo.folder)


def test_verify_judges_again_where_nothing_is_kept(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.git("switch", "--quiet", "--create", "pr")
    repo.commit({"a.py": READ + USES})
    request = Request(repo.folder, "main", "pr")
    assert verify(request, print).equal
    asked: list[str] = []
    answer = Court.witness

    def other(
        court: Court, site: str, origin: str, *, explained: bool = False, way: Frame | None = None
    ) -> Witness | None:
        asked.append(site)
        return answer(court, site, origin, explained=explained, way=way) if len(asked) <= 2 else Witness("open", "")

    monkeypatch.setattr(Court, "witness", other)
    verdict = verify(request, print)
    assert verdict.updated == verdict.built and not verdict.equal
    assert {each.function for each in verdict.differing} == {"perhaps", "surely"}


def test_a_history_says_when_it_fails(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo()
    repo.commit({"a.py": READ})
    repo.commit({"a.py": READ + USES})
    assert run("history", "main", repo.folder, "--out", tmp_path / "out").returncode == 0
    changes = tables.read(tmp_path / "out" / "changes.parquet", tables.CHANGES).to_pylist()
    told = {row["function"]: (row["unlikely"], row["fails_when"]) for row in changes}
    assert told == {"surely": (True, ""), "perhaps": (False, 'Fails when `path == ""` in `read` is true.')}
    assert "Fails when `path" in (tmp_path / "out" / "report.html").read_text()
