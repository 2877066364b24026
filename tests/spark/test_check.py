"""`pliant check` and `pliant facts` find on Spark what they find without it: in the small changes that there are tests
of, all of them in one repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from repos import Repo
from test_changes import CHANGES
from typer.testing import CliRunner

from pliant.ci.check import check
from pliant.ci.commands.app import app
from pliant.ci.comparison import Request
from pliant.ci.pipeline.place import OnSpark

BASE = {
    "app.py": "from lib import find\n\n\ndef use(key):\n    found = find(key)\n    return found.name\n",
    "lib.py": "class Thing:\n    name = 'a'\n\n\ndef find(key):\n    return Thing()\n",
    "A.java": "class A { Object f(boolean b) { Object o = new Object(); return o.toString(); } }\n",
}
HEAD = {
    "lib.py": BASE["lib.py"].replace("return Thing()", "return Thing() if key else None"),
    "c.c": "int f(int *q) { int *p = 0; return *p; }\n",
}


# In one repository, the modules of the same name of all changes know each other: of those by way, one has enough to do.
TOGETHER = [each for each in CHANGES if "python_ways" not in each.name or each.name == "python_ways/another_assignment"]


def side(which: str, every: int) -> dict[str, str]:
    """The files of one side of one in `every` changes, each change in a folder of its own."""
    changes = TOGETHER[::every]
    return {f"{change.name}/{file}": text for change in changes for file, text in getattr(change, which).items()}


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_findings_and_digests_are_those_of_this_process(repo: Repo, tmp_path: Path, spark: Any, every: int) -> None:
    base, head = BASE | side("base", every), BASE | HEAD | side("head", every)
    work = {"app.py": BASE["app.py"] + "\n\nnothing = None\nnothing.x\n"}  # in the work tree alone
    repo.commit(base, "base")
    repo.git("switch", "--quiet", "-c", "topic")
    repo.commit({**dict.fromkeys(base), **head}, "head")
    repo.write(work)
    blobs = {(Path(file).suffix, text) for files in (base, head | work) for file, text in files.items()}
    found = []
    for name, place in (("here", None), ("spark", lambda repository: OnSpark(spark, repository))):
        request = Request(repo.folder, "main", "WORKTREE", tmp_path / name, places=place)
        report = check(request, lambda message: None)
        found.append([(each.rule, each.file, each.line, each.status, each.fingerprint) for each in report.findings])
        if place:
            assert report.extracted_files == len(blobs)
    assert found[0] == found[1]
    assert {status for *_, status, _ in found[0]} == {"new", "fixed"}
    assert len({file.split("/")[0] for _, file, *_ in found[0]}) > 3 and len(found[0]) > len(TOGETHER) / every / 3


def test_facts_are_the_same_bytes(repo: Repo, tmp_path: Path, spark: Any) -> None:
    repo.commit(BASE, "base")
    for engine in ("embedded", "spark"):
        arguments = ["facts", str(repo.folder), "--out", str(tmp_path / engine), "--engine", engine]
        done = CliRunner().invoke(app, [*arguments, "--state-dir", str(tmp_path / f"state-{engine}")])
        assert done.exit_code == 0, done.output
    for path in (tmp_path / "embedded").iterdir():
        assert (tmp_path / "spark" / path.name).read_bytes() == path.read_bytes()
