"""Pull requests with known answers: `pull_requests/*.txt`, each run as `pliant check` runs it, on a real repository.

A case opens with the reason in a sentence; then come files, `=== base/PATH` and `=== head/PATH`, of the head only those
that differ, with `deleted` behind the path of one that is gone. Comments, taken away before the files are committed,
say what is expected of a line:

    # new: rule          the head has a finding that the base has not
    # fixed: rule        the base has a finding that the head has not
    # unchanged: rule    both have it
    # cause              a changed line that is behind the new findings (in the base: behind the fixed ones)
    # removed            in the base: a line that is gone, which is behind the new findings

A file that the head does not list is the same in both, and its comments are about the head. Any finding that no comment
names fails the case. Cases named `quiet_*` have nothing new and nothing fixed.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from repos import MakeRepo, Repo

from pliant.analyses.findings import Finding
from pliant.ci.check import check, verify
from pliant.ci.comparison import Request

CASES = sorted((Path(__file__).parent / "pull_requests").glob("*.txt"))
_FILE = re.compile(r"^=== (base|head)/(\S+)( deleted)?\n", re.M)
_MARKS = re.compile(r"  # ((?:new|fixed|unchanged|suppressed|cause|removed)\b.*)$", re.M)

Files = dict[str, str | None]
Mark = tuple[str, str, int, str]  # status, file, line, rule; ("cause", file, line, "")


@dataclass
class Case:
    base: Files = field(default_factory=dict)
    changes: Files = field(default_factory=dict)  # None: the file is deleted
    base_marks: set[Mark] = field(default_factory=set)
    head_marks: set[Mark] = field(default_factory=set)

    def findings(self) -> set[Mark]:
        fixed = {mark for mark in self.base_marks if mark[0] == "fixed"}
        return fixed | {mark for mark in self.head_marks if mark[0] in ("new", "unchanged", "suppressed")}

    def causes(self, status: str) -> set[tuple[str, int]]:
        marks = self.base_marks if status == "fixed" else self.head_marks
        return {(file, line) for what, file, line, _ in marks if what == "cause"}

    def removed(self) -> set[tuple[str, int]]:
        return {(file, line) for what, file, line, _ in self.base_marks if what == "removed"}


def read_case(path: Path) -> Case:
    case = Case()
    parts = _FILE.split(path.read_text(encoding="utf-8"))
    for side, name, deleted, text in zip(*(iter(parts[1:]),) * 4, strict=True):
        files, marks = (case.base, case.base_marks) if side == "base" else (case.changes, case.head_marks)
        files[name] = None if deleted else _MARKS.sub("", text)
        marks.update(_marks(name, text))
    case.head_marks |= {mark for mark in case.base_marks if mark[1] not in case.changes}
    return case


def _marks(name: str, text: str) -> Iterator[Mark]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := _MARKS.search(line):
            for part in found[1].split(";"):
                status, _, rule = part.strip().partition(": ")
                yield status, name, number, rule


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(autouse=True)
def one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests share a state directory, so what one of them writes the others have to believe."""
    monkeypatch.setenv("PLIANT_STATE_KEY", "the one key of these tests")


def _pull_request(repo: Repo, case: Case) -> None:
    repo.commit(case.base)
    repo.git("checkout", "--quiet", "-b", "change")
    repo.commit(case.changes)


def _places(findings: list[Finding], *statuses: str) -> set[Mark]:
    return {
        (finding.status, finding.file, finding.line, finding.rule) for finding in findings if finding.status in statuses
    }


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.one_in(3)
def test_a_check_tells_what_comments_name(path: Path, repo: Repo, state: Path) -> None:
    case = read_case(path)
    _pull_request(repo, case)
    request = Request(repo.folder, "main", "change", state, unchanged=True)
    report = check(request, pytest.fail)
    findings = report.findings
    expected = case.findings()
    found = _places(findings, "new", "fixed", "unchanged")
    silenced = _places(report.suppressed, "new", "unchanged")
    found |= {("suppressed", *mark[1:]) for mark in silenced}
    assert sorted(found - expected) == [], "told, but no comment names them"
    assert sorted(expected - found) == [], "named by comments, but not told"
    assert len(findings) == len(found) - len(silenced)
    if path.stem.startswith("quiet_"):
        assert not _places(findings, "new", "fixed")
    for status in ("new", "fixed"):
        causes = {
            (place.file, place.line) for finding in findings if finding.status == status for place in finding.cause
        }
        assert causes == case.causes(status) or not case.causes(status)
    gone = {(line.file, line.line) for finding in findings for line in finding.removed}
    assert gone == case.removed() or not case.removed()
    for finding in findings:
        if finding.status == "new":
            assert finding.path[-1].file == finding.file and finding.path[-1].line == finding.line
            assert len(finding.path) > 1 or not finding.rule.startswith("null.")  # from where it is made to its use


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.one_in(12)
def test_its_update_is_a_build_from_scratch(path: Path, repo: Repo, state: Path) -> None:
    _pull_request(repo, read_case(path))
    request = Request(repo.folder, "main", "change", state)
    assert verify(request, pytest.fail).equal


def _in_several_files(path: Path) -> bool:
    """Whether files change that stay: half of a move is the end of one finding and the start of another."""
    changes = read_case(path).changes
    return len(changes) > 1 and None not in changes.values() and "moved" not in path.stem


MANY = [path for path in CASES if _in_several_files(path)]


def _told(findings: list[Finding], status: str) -> Counter[tuple[str, str, str]]:
    """Findings by names that do not depend on other commits."""
    return Counter((finding.rule, finding.file, finding.function) for finding in findings if finding.status == status)


@pytest.mark.parametrize("path", MANY, ids=lambda path: path.stem)
@pytest.mark.parametrize("order", [1, pytest.param(-1, marks=pytest.mark.nightly)], ids=["in order", "turned round"])
@pytest.mark.one_in(3)
def test_a_change_in_several_commits_has_the_same_findings(
    path: Path, order: int, make_repo: MakeRepo, state: Path
) -> None:
    case = read_case(path)
    repo = make_repo()
    commits = [repo.commit(case.base)]
    commits += [repo.commit({name: case.changes[name]}) for name in list(case.changes)[::order]]
    whole = check(Request(repo.folder, commits[0], commits[-1], state), pytest.fail).findings
    balance: Counter[tuple[str, str, str]] = Counter()
    for base, head in itertools.pairwise(commits):
        part = check(Request(repo.folder, base, head, state), pytest.fail).findings
        balance.update(_told(part, "new"))
        balance.subtract(_told(part, "fixed"))
    expected = _told(whole, "new")
    expected.subtract(_told(whole, "fixed"))
    assert +balance == +expected
    assert -balance == -expected


COMMENTS = ("quiet_comments_and_blank_lines", "quiet_reformatted")


@pytest.mark.parametrize("name", COMMENTS)
def test_what_changes_no_meaning_costs_no_work(name: str, repo: Repo, state: Path) -> None:
    _pull_request(repo, read_case(Path(__file__).parent / "pull_requests" / f"{name}.txt"))
    report = check(Request(repo.folder, "main", "change", state), pytest.fail)
    assert report.changed_files > 0
    assert (report.facts.inserted, report.facts.deleted) == (0, 0)
    assert {stratum.strategy for stratum in report.strata} == {"none"}
    assert sum(stratum.instantiations for stratum in report.strata) == 0
