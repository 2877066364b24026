"""Hostile inputs that have no other place, and that docs/hostile-inputs.md names a test for each."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import checked, refused, run
from repos import Repo

from pliant.ci.revision import WORKTREE
from pliant.engine import spark_java
from pliant.extractors.java.library_models import load
from pliant.extractors.model_files import ModelFile

TOP = Path(__file__).parents[2]
NULL = "def find(key):\n    if key:\n        return None\n    return key\n\n\nfind(1).name\n"


def test_every_row_of_the_audit_names_a_test_that_there_is() -> None:
    rows = re.findall(
        r"^\| .* \| `(tests/[\w/]+\.py)::(\w+)`(.*) \|$", (TOP / "docs/hostile-inputs.md").read_text(), re.M
    )
    assert len(rows) >= 25
    for file, name, _ in rows:
        tree = ast.parse((TOP / file).read_text())
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{file}::{name}"


def raw_tree(repo: Repo, entries: list[tuple[str, str, str]]) -> str:
    """A tree object as git itself would not write it."""
    content = b"".join(
        f"{mode} {name}".encode() + b"\0" + bytes.fromhex(oid)
        for mode, name, oid in sorted(entries, key=lambda e: e[1])
    )
    command = ["git", "-C", str(repo.folder), "hash-object", "-t", "tree", "-w", "--literally", "--stdin"]
    return subprocess.run(command, input=content, capture_output=True, check=True).stdout.decode().strip()


def test_java_models_whose_classes_meet_again_and_again_are_read() -> None:
    levels = range(60)  # 2**60 ways from the first to the last
    text = "".join(f'["p.C{level}{side}"]\nbases = ["p.C{level + 1}a", "p.C{level + 1}b"]\n'
                   for level in levels for side in "ab") + '["p.C60a"]\n["p.C60b"]\n'  # fmt: skip
    known = load((ModelFile("x.java.toml", "java", text),))
    assert len(known.above("p.C0a")) == 2 * len(levels)


@pytest.mark.nightly
def test_a_program_that_is_written_to_be_large_is_one_line_that_names_its_file(repo: Repo, tmp_path: Path) -> None:
    count = 2600  # functions, each of which calls all of them through a table
    functions = "".join(f"def f{number}(a):\n    T[a](a)\n" for number in range(count))
    table = "".join(f"{number}: f{number}, " for number in range(count))
    repo.commit({"a.py": NULL})
    repo.commit({"src/large.py": f"{functions}T = {{{table}}}\n"})
    refusals = [
        refused("check", repo.folder, "--base", "HEAD~1"),
        refused("check", repo.folder, "--base", "HEAD"),
        refused("history", "main", repo.folder, "--out", tmp_path / "out"),
    ]
    for line in refusals:
        assert "rows, and these need more; " in line and "is about src/large.py: leave it out" in line


def test_names_that_lead_out_of_the_tree_are_not_analysed(repo: Repo) -> None:
    base = repo.commit({"a.py": "x = 1\n"})
    blob = repo.git("hash-object", "-w", "--stdin", stdin=NULL.encode())
    inner = raw_tree(repo, [("100644", "evil.py", blob), ("100644", "-rf.py", blob)])
    top = raw_tree(repo, [("40000", "..", inner), ("40000", ".git", inner), ("40000", "-d", inner)])
    head = repo.git("commit-tree", "-p", base, "-m", "evil", top)
    repo.git("update-ref", "refs/heads/evil", head)
    report = checked(repo, "--base", base, "--head", "evil")
    assert {finding["file"] for finding in report["findings"] if finding["status"] == "new"} == {
        "-d/-rf.py",
        "-d/evil.py",
    }
    said = {remark["file"]: remark["message"] for remark in report["diagnostics"]}
    assert said["../evil.py"] == "not analysed: its name leads out of the tree"
    assert said[".git/evil.py"] == "not analysed: its name leads out of the tree"
    sarif = json.loads(run("check", repo.folder, "--base", base, "--head", "evil", "--format", "sarif").stdout)
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in sarif["runs"][0]["results"]
    ]
    assert sorted(uris) == ["-d/-rf.py", "-d/evil.py"]


@pytest.mark.parametrize("name", ["\udcff.py", "a|b.py", "a%b.py", "a\nb.py"])
def test_what_goes_with_a_file_of_any_name_is_fixed(repo: Repo, name: str) -> None:
    base = repo.commit({name: NULL, "rest.py": "x = 1\n"})
    repo.commit({name: None})
    report = checked(repo, "--base", base)
    assert [finding["status"] for finding in report["findings"]] == ["fixed"]


@pytest.mark.parametrize("hide", [lambda text: b"/*\0*/ " + text, lambda text: text.decode().encode("utf-16")])
def test_what_compilers_read_hides_no_finding(repo: Repo, hide: Callable[[bytes], bytes]) -> None:
    old = b"char *f(void) { char *s = 0; return s[0]; }\n"
    base = repo.commit({"a.c": old})
    repo.commit({"a.c": hide(old + b"/* \xc3\xa9 */ int g(void) { char *t = 0; return t[0]; }\n")})
    report = checked(repo, "--base", base, "--all")
    assert {(each["status"], each["line"]) for each in report["findings"]} == {("unchanged", 1), ("new", 2)}
    assert report["diagnostics"] == []
    new = next(finding for finding in report["findings"] if finding["status"] == "new")
    assert [step["line"] for step in new["cause"]] == [2]


def test_links_out_of_a_work_tree_are_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text(NULL)
    repo.commit({"a.py": "x = 1\n", "folder/b.py": "x = 1\n"})
    (repo.folder / "link.py").symlink_to(tmp_path / "outside" / "secret.py")
    (repo.folder / "folder" / "b.py").unlink()
    (repo.folder / "folder").rmdir()
    (repo.folder / "folder").symlink_to(tmp_path / "outside")
    report = checked(repo, "--base", "HEAD", "--head", WORKTREE)
    assert [finding for finding in report["findings"] if finding["status"] == "new"] == []


def test_a_program_in_a_restored_cache_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Java for Spark is started by a script that is made on this machine: not in a cache, where another's could be."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "restored"))
    home = spark_java.packaged_java_home()
    assert home.is_relative_to(tmp_path / "home-state")
    assert not (tmp_path / "restored").exists()
