"""Every figure of benchmarks/reproduce.py runs to its end at its smallest size."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from benchmark_command import BENCHMARKS, run, write
from repos import Repo

BAD = "import re\n\n\ndef {name}(x):\n    return re.match('a', x).group()\n"


def figures() -> list[str]:
    """Their names, as the file has them."""
    tree = ast.parse((BENCHMARKS / "reproduce.py").read_text(encoding="utf-8"))
    [table] = [
        each.value for each in tree.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == "FIGURES"
    ]  # fmt: skip
    assert isinstance(table, ast.Dict)
    return [ast.literal_eval(key) for key in table.keys if key is not None]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    facts = tmp_path_factory.mktemp("facts")
    arcs = "".join(f"{node}\t{node + 1 if node % 5 else node // 2}\n" for node in range(150))
    write(facts / "cspa_namd", assign=arcs, dereference="2\t3\n0\t4\n1\t5\n")
    return facts


# These have no test of their own.
@pytest.mark.parametrize(
    "figure",
    [name if name in ("joins", "epochs") else pytest.param(name, marks=pytest.mark.nightly) for name in figures()],
)
def test_a_figure_runs(figure: str, tiny: Path, repo: Repo) -> None:
    for name in "fgh":
        repo.commit({f"{name}.py": BAD.format(name=name)})
    done = run("reproduce.py", figure, "--small", "--facts", str(tiny), "--repository", str(repo.folder))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"\n# {figure}: ") and "$ python benchmarks/" in done.stdout


def test_what_there_is_and_what_is_missing_is_told() -> None:
    listed = run("reproduce.py", "list").stdout
    assert all(f"\n{name} " in f"\n{listed}" for name in figures()) and "What cannot be had:" in listed
    done = run("reproduce.py", "shared")
    assert done.returncode == 2 and "# not run: it needs --repository" in done.stdout
    done = run("reproduce.py", "figure7")
    assert done.returncode == 2 and "there is no figure figure7; there are bootstrap, " in done.stderr
