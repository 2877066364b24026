"""`--site-packages`: a check knows the types of installed packages, and never by the word of the repository."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet
import pytest
from command_line import refused, run
from repos import Repo

USES = "import shop\n\n\ndef name():\n    return shop.find('key').name\n"
SOURCES = "class Item:\n    name: str\n\n\ndef find(key: str) -> Item | None: ...\n"
SAID = "a.py:5:11: warning null.attribute The result of `find()` may be None when `.name` is read: `shop.find()` may "


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name, text in {"shop/__init__.py": SOURCES, "shop/py.typed": "", "shop-1.0.dist-info/RECORD": "1"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def check(repo: Repo) -> tuple[str | Path, ...]:
    repo.commit({"README": ""})
    repo.commit({"a.py": USES})
    return ("check", repo.folder, "--base", "HEAD~1", "--fail-on", "never", "--format", "concise")


def test_a_check_knows_the_types_of_packages(site: Path, check: tuple[str | Path, ...], tmp_path: Path) -> None:
    assert "0 new" in run(*check).stdout
    assert SAID in run("--site-packages", site, *check).stdout
    assert SAID in run(*check, PLIANT_SITE_PACKAGES=str(site)).stdout
    (tmp_path / "pliant.toml").write_text("fail-on = 'error'\n")
    assert SAID in run("--site-packages", site, *check, "--config", tmp_path / "pliant.toml").stdout
    assert "0 new" in run(*check).stdout, "the state of the check before"
    (site / "shop/__init__.py").write_text(SOURCES.replace(" | None", ""))
    (site / "shop-1.0.dist-info/RECORD").write_text("2")
    assert "0 new" in run("--site-packages", site, *check).stdout


def test_settings_of_the_repository_are_kept(site: Path, repo: Repo, check: tuple[str | Path, ...]) -> None:
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    repo.commit({"pliant.toml": "rules = { 'null.*' = 'note' }\n"})
    repo.commit({"a.py": USES})
    assert SAID.replace("warning", "note") in run("--site-packages", site, *check).stdout


def test_a_package_of_the_repository_is_not_looked_for_elsewhere(site: Path, repo: Repo) -> None:
    repo.commit({"README": "", "shop.py": "def find(key):\n    return Item(key)\n"})
    repo.commit({"a.py": USES})
    found = run("--site-packages", site, "check", repo.folder, "--base", "HEAD~1", "--format", "concise")
    assert "0 new" in found.stdout


def test_a_history_knows_them_too(site: Path, repo: Repo, check: tuple[str | Path, ...], tmp_path: Path) -> None:
    run("--site-packages", site, "history", "HEAD", repo.folder, "--out", tmp_path / "out")
    findings = pyarrow.parquet.read_table(tmp_path / "out/findings.parquet")
    assert any("`shop.find()` may return None" in message for message in findings["message"].to_pylist())


def test_a_folder_without_packages_is_one_line(tmp_path: Path, check: tuple[str | Path, ...]) -> None:
    said = refused("--site-packages", tmp_path / "nowhere", *check)
    assert said.startswith(
        f"pliant: --site-packages: {tmp_path}/nowhere: the folder of packages cannot be read: No such"
    )
    (tmp_path / "empty").mkdir()
    said = refused("--site-packages", tmp_path / "empty", *check)
    assert "empty: expected a folder of installed packages, with *.dist-info; name site-packages itself" in said


def test_the_option_behind_the_command_says_where_it_stands(site: Path, check: tuple[str | Path, ...]) -> None:
    done = run(*check, "--site-packages", site)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last == (
        "pliant: No such option: --site-packages: it stands before the command, pliant --site-packages ... check"
    )
    assert run(*check, "--zzzz").stderr.splitlines()[-1] == "pliant: No such option: --zzzz"
