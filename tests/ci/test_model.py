"""`pliant model`: what a library's sources say, and checks that know it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from command_line import refused, run
from repos import Repo

from pliant.extractors.java.library_models import load
from pliant.extractors.model_files import ModelError, ModelFile

LIBRARY = {
    "src/shop/Orders.java": """
        package shop;
        public class Orders {
            /** @return the last order, or {@code null} if there is none */
            public Order last() { return null; }
            public static Orders of(String customer) { customer.trim(); return new Orders(); }
        }
        """,
    "src/shop/Order.java": "package shop; public class Order { public String name() { return x; } }",
}
USES = """
import shop.Orders;
class A {
    String used() { return Orders.of("a").last().name(); }
    Orders passed(boolean known) {
        String name = known ? "a" : null;
        return Orders.of(name);
    }
}
"""


@pytest.fixture(params=["folder", "archive"])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "archive":
        with zipfile.ZipFile(tmp_path / "sources.jar", "w") as archive:
            for name, text in LIBRARY.items():
                archive.writestr(name, text)
        return tmp_path / "sources.jar"
    for name, text in LIBRARY.items():
        (tmp_path / "library" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "library" / name).write_text(text)
    return tmp_path / "library"


def test_a_check_knows_what_the_sources_of_a_library_say(sources: Path, tmp_path: Path, repo: Repo) -> None:
    out = tmp_path / "shop.java.toml"
    said = run("model", sources, "--out", out).stdout
    assert said == f"{out}: 2 classes, 1 member that may return null, 1 member that must not get it, 0 files left out\n"
    repo.commit({"README": ""})
    repo.commit({"A.java": USES})
    check = ("check", repo.folder, "--base", "HEAD~1", "--fail-on", "never", "--format", "concise")
    assert "0 new" in run(*check).stdout
    config = tmp_path / "pliant.toml"
    config.write_text(f"models = ['{out.name}']\n")
    found = run(*check, "--config", config).stdout
    assert "A.java:4:27: warning null.method The result of `last()` may be null when `.name()` is called" in found
    assert "A.java:7:15: warning null.argument The value may be null when it is passed to `.of()`" in found
    assert "2 new" in found


def test_what_is_no_library_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("text")
    out = ("--out", tmp_path / "a.java.toml")
    assert "no class found" in refused("model", tmp_path / "empty", *out)
    assert "is no folder, and no zip or jar archive" in refused("model", tmp_path / "text.zip", *out)
    assert "cannot be read: No such file" in refused("model", tmp_path / "none", *out)
    assert "expected NAME.java.toml" in refused("model", tmp_path / "empty", "--out", tmp_path / "a.toml")
    (tmp_path / "empty" / "A.java").write_text("class A { }")
    assert "no class found" in refused("model", tmp_path / "empty", *out)  # none that others can name
    (tmp_path / "empty" / "A.java").write_text("public class A { }")
    assert "cannot be written" in refused("model", tmp_path / "empty", "--out", tmp_path / "none" / "a.java.toml")


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("public class A { }")
    (tmp_path / "B.java").write_text(f"class B {{ boolean many() {{ return {'a<' * 20_000}a; }} }}")
    done = run("model", tmp_path, "--out", tmp_path / "a.java.toml")
    assert done.stderr == "pliant: B.java is left out: too many < are open in it at once\n"
    assert done.stdout.endswith("1 file left out\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("from_sources = 1\n", "from_sources: expected true or false, found 1"),
        ('["p.A"]\nrequires = { "m/1" = 0 }\n', "requires: expected numbers of arguments, found 0"),
        ('["p.A"]\nrequires = { m = [0] }\n', 'requires: expected a member such as "get/1", found m'),
        ('["p.A"]\nreturns = { "m/1" = 0 }\n', "expected the name of a class, found 0"),
        ('["p.A"]\nbases = ["p.B"]\n', "no table for the class p.B"),
    ],
)
def test_a_model_that_is_wrong_is_told_with_its_key(text: str, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        load((ModelFile("x.java.toml", "java", text),))
