"""What installed packages say of themselves: which of them are typed, and what their types tell of calls."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from pliant.extractors.model_files import ModelError
from pliant.extractors.python.context import context_parts
from pliant.extractors.python.dependencies import Dependencies, installed, of_models
from pliant.extractors.python.library import Library


def packages(folder: Path, **files: str) -> Path:
    """A folder with these files, and with what an installer recorded."""
    for name, text in {"shop-1.0.dist-info/RECORD": "shop/__init__.py,sha256=1,1\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def library(folder: Path, cache: Path | None = None) -> Library:
    return Library(cache=cache, dependencies=of_models([installed(folder)]))


def rows(folder: Path, relation: str, module: str = "shop") -> set[tuple[str | int, ...]]:
    return {row for row in library(folder).rows([module], relation) if str(row[0]).startswith(module)}


TYPED = """
from __future__ import annotations
from typing import Optional, overload
from .inner import Item as Item

@overload
def either(key: int) -> str: ...
@overload
def either(key: str) -> str: ...
def either(key) -> Optional[str]:
    return None

def find(key: str) -> Optional[Item]:
    return None

def later(key: str = None, *, name: str = None, count: int = 0) -> Item:
    return Item()

def plain(key):
    return None
"""


def test_types_in_the_sources_of_a_typed_package(tmp_path: Path) -> None:
    inner = "class Item:\n    name: str | None\n    def parent(self) -> 'Item | None': ...\n"
    packages(tmp_path, **{"shop/__init__.py": TYPED, "shop/inner.py": inner, "shop/py.typed": ""})
    assert rows(tmp_path, "lib_nullable") == {("shop.find", 1), ("shop.inner.Item.parent", 0)}
    assert rows(tmp_path, "lib_value_nullable") == {("shop.inner.Item.name",)}
    refused = rows(tmp_path, "lib_requires")
    assert ("shop.find", -1, 0, "") in refused
    assert [row for row in refused if row[0] == "shop.later"] == [("shop.later", -1, -1, "count")], "None is a default"
    present = {row[0] for row in rows(tmp_path, "lib_present")}
    assert "shop.plain" not in present
    assert "shop.either" in present, "what implements overloads is none"


def test_a_package_without_the_mark_says_nothing(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/__init__.py": TYPED, "shop/inner.py": "class Item: ..."})
    assert Dependencies(tmp_path, "").modules == {}
    assert rows(tmp_path, "lib_nullable") == set()


def test_the_mark_holds_for_the_folders_below_it(tmp_path: Path) -> None:
    packages(tmp_path, **{"space/one/py.typed": "", "space/one/deep/code.py": "", "space/two/code.py": ""})
    assert sorted(Dependencies(tmp_path, "").modules) == ["space.one.deep.code"]


def test_stubs_come_before_sources_and_stub_packages_before_both(tmp_path: Path) -> None:
    source, stub = "def find() -> int: ...\n", "def find() -> int | None: ...\n"
    packages(tmp_path, **{"shop/__init__.py": source, "shop/__init__.pyi": stub, "shop/py.typed": ""})
    assert rows(tmp_path, "lib_nullable") == {("shop.find", 0)}
    packages(tmp_path, **{"shop-stubs/__init__.pyi": source})
    assert rows(tmp_path, "lib_nullable") == set()
    packages(tmp_path, **{"single.pyi": stub})
    assert rows(tmp_path, "lib_nullable", "single") == {("single.find", 0)}


@pytest.mark.parametrize(
    "text",
    ["def find(:\n", "x = " + "(" * 5000, "\0", "class A(B): ...\n" * 3 + "for"],
    ids=["syntax", "deep", "NUL", "cut"],
)
def test_what_cannot_be_read_says_nothing(tmp_path: Path, text: str) -> None:
    packages(
        tmp_path, **{"shop/__init__.py": "from .bad import *\ndef find() -> int | None: ...\n", "shop/py.typed": ""}
    )
    packages(tmp_path, **{"shop/bad.py": text})
    (tmp_path / "shop" / "worse.py").write_bytes(b"# \xff\xfe\n")
    assert rows(tmp_path, "lib_nullable") == {("shop.find", 0)}
    assert rows(tmp_path, "lib_nullable", "shop.worse") == set()


def test_sources_do_what_stubs_may_not(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = """
import os
if os.environ.get("SHOP"):
    from .inner import *
for name in "ab":
    globals()[name] = 1
names: dict = {}
names["a"] = 1
names |= {}
with open("x") as f:
    pass
def find() -> int | None: ...
find.name = "x"
class find_all:
    import os
    os = 1
"""
    packages(tmp_path, **{"shop/__init__.py": text, "shop/inner.py": "one = 1\n", "shop/py.typed": ""})
    assert rows(tmp_path, "lib_nullable") == {("shop.find", 0)}
    assert not caplog.records


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/__init__.py": "", "shop/py.typed": ""})
    (tmp_path / "shop" / "again").symlink_to(tmp_path / "shop")
    assert list(Dependencies(tmp_path, "").modules) == ["shop"]


def test_the_version_changes_with_what_is_installed(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/__init__.py": "", "shop/py.typed": "", "own/__init__.py": "", "own/py.typed": ""})
    first = installed(tmp_path).text
    assert installed(tmp_path).text == first
    packages(tmp_path, **{"own/__pycache__/a.pyc": "x"})
    assert installed(tmp_path).text == first
    os.utime(tmp_path / "own" / "__init__.py", ns=(1, 1))
    second = installed(tmp_path).text
    assert second != first, "a package that no installer recorded"
    packages(tmp_path, **{"shop-1.0.dist-info/RECORD": "shop/__init__.py,sha256=2,1\n"})
    assert installed(tmp_path).text not in (first, second)


def test_a_record_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/py.typed": ""})
    (tmp_path / "other-1.0.dist-info").mkdir()
    os.mkfifo(tmp_path / "other-1.0.dist-info" / "RECORD")
    assert installed(tmp_path).text


def test_what_was_worked_out_is_kept_by_version(tmp_path: Path) -> None:
    site = packages(tmp_path / "site", **{"shop/__init__.py": "def find() -> int | None: ...\n", "shop/py.typed": ""})
    cache = tmp_path / "cache"
    assert ("shop.find", 0) in library(site, cache).rows(["shop"], "lib_nullable")
    warm = library(site, cache)
    assert ("shop.find", 0) in warm.rows(["shop"], "lib_nullable")
    assert "_knowledge" not in vars(warm), "read again"
    packages(site, **{"shop/__init__.py": "def find() -> int: ...\n", "shop-1.0.dist-info/RECORD": "2"})
    assert ("shop.find", 0) not in library(site, cache).rows(["shop"], "lib_nullable")
    assert ("shop.find", 0) not in Library(cache=cache).rows(["shop"], "lib_nullable")


def test_a_repository_hides_packages_that_it_has_itself(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/__init__.py": "", "shop/py.typed": "", "other/__init__.py": "", "other/py.typed": ""})
    found = of_models([installed(tmp_path)])
    assert found is not None
    assert sorted(found.without(["shop", "nothing"]).modules) == ["other"]
    assert found.without(["nothing"]) == found


def test_the_library_of_a_commit_has_its_packages(tmp_path: Path) -> None:
    packages(tmp_path, **{"shop/__init__.py": "", "shop/py.typed": ""})
    models = (installed(tmp_path),)
    hidden = []
    for path in ("src/shop/__init__.py", "main.py"):
        keys = [key for key, _ in context_parts({path: SimpleNamespace(library=())}, models)]
        (used,) = [part for key in keys if isinstance(key, tuple) for part in key if isinstance(part, Dependencies)]
        hidden.append(used.hidden)
    assert hidden == [{"shop"}, set()]


@pytest.mark.parametrize("kind", ["nowhere", "file", "empty"])
def test_a_folder_without_packages_is_refused(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "folder"
    if kind == "file":
        folder.write_text("")
    elif kind == "empty":
        folder.mkdir()
    with pytest.raises(ModelError, match=r"expected a folder of installed packages|cannot be read"):
        installed(folder)
