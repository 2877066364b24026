"""`pliant state convert` takes states both ways with the same digest, and says in a line what is in the way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from repos import Repo
from typer.testing import CliRunner

from pliant.ci.check import check
from pliant.ci.commands.app import app
from pliant.ci.comparison import Request
from pliant.ci.errors import UserError


def run(*arguments: str) -> Any:
    done = CliRunner().invoke(app, ["state", *arguments, "--json"])
    if done.exception is not None:
        assert "\n" not in str(done.exception)
        raise done.exception
    return json.loads(done.stdout)


def test_a_state_goes_to_spark_and_comes_back(
    repo: Repo, tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "def find(key):\n    return {}[key]\n\n\ndef use():\n    return find(1).name\n"})
    repo.git("checkout", "--quiet", "-b", "pr")
    repo.commit({"a.py": "def find(key):\n    return None\n"})
    state, path = tmp_path / "state", tmp_path / "spark states"
    check(Request(repo.folder, "main", "pr", state), pytest.fail).keep()
    monkeypatch.chdir(repo.folder)
    monkeypatch.setenv("PLIANT_STATE_DIR", str(state))
    before = run("show", "main")
    went = run("convert", "main", str(path), "--to", "spark")
    assert went == {"commit": repo.git("rev-parse", "main"), "digest": before["digest"], "where": f"file://{path}"}
    [kept] = (state / "commits").glob(f"{went['commit']}-*")
    shutil.rmtree(kept)
    assert {each.name for each in tmp_path.iterdir()} >= {"spark states"}
    with pytest.raises(UserError, match="there is no state of main"):
        run("convert", "main", str(path), "--to", "spark")
    with pytest.raises(UserError, match=r"was not converted .*: there is no state to open in .*; nothing was changed"):
        run("convert", "pr", str(path), "--to", "embedded")
    came = run("convert", "main", str(path), "--to", "embedded")
    assert came == went | {"where": str(kept)}
    after = run("show", "main")
    same = ("commit", "program", "digest", "files")
    assert [after[name] for name in same] == [before[name] for name in same]
    digests = [{each["name"]: each["digest"] for each in shown["relations"]} for shown in (before, after)]
    assert digests[0] == digests[1]
