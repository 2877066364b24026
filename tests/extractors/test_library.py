"""Facts about the standard library: what calls give, when they give None, and how the facts of modules add up."""

from __future__ import annotations

import importlib
import json
import os
import random
import re
import shutil
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from pliant.extractors.facts import FileFacts
from pliant.extractors.python.library import Library, _checked, library_facts, module_facts
from pliant.extractors.python.library_classes import Stubs
from pliant.extractors.python.library_models import BUILTIN, ModelError, load_models, stub_text
from pliant.extractors.python.library_names import has_stubs
from pliant.extractors.python.semantics import SEMANTICS
from pliant.extractors.schema import RELATIONS

MODULES = [
    "argparse",
    "asyncio",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "enum",
    "functools",
    "importlib.util",
    "inspect",
    "io",
    "itertools",
    "json",
    "mimetypes",
    "os",
    "pathlib",
    "random",
    "re",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "threading",
    "typing",
    "unittest",
    "urllib.parse",
    "xml.etree.ElementTree",
]
Fact = tuple[str | int, ...]


def facts_of(facts: FileFacts) -> set[Fact]:
    found: set[Fact] = set()
    for name, flat in facts.rows.items():
        kinds = [kind for _, kind in RELATIONS[name].columns]
        assert len(flat) % len(kinds) == 0
        for row in zip(*[iter(flat)] * len(kinds), strict=True):
            columns = (facts.symbols[i] if kind == "symbol" else i for i, kind in zip(row, kinds, strict=True))
            found.add((name, *columns))
    return found


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.fixture
def cache(tmp_path: Path, filled: Path) -> Path:
    """A cache with the facts of a small module, for a test to spoil."""
    return Path(shutil.copytree(filled, tmp_path / "library"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    library_facts(["shutil", "json"], cache=folder)
    library_facts(["shutil"], cache=folder)
    return folder


@pytest.fixture(scope="module")
def facts(library: Library) -> set[Fact]:
    return facts_of(library.facts(MODULES))


@pytest.mark.parametrize(
    "fact",
    [
        # Names, through re-exports, bound methods and inheritance.
        "lib_member os.path join posixpath.join",
        "lib_member os path os.path",
        "lib_member xml.etree ElementTree xml.etree.ElementTree",
        "lib_member xml etree xml.etree",
        "lib_member re search re.search",
        "lib_member os _exit os._exit",
        "lib_member json loads json.loads",
        "lib_member typing List builtins.list",
        "lib_member asyncio Queue asyncio.queues.Queue",
        "lib_member random choice random.Random.choice",
        "lib_member collections.OrderedDict get builtins.dict.get",
        "lib_member os._Environ items typing.Mapping.items",
        "lib_member pathlib.Path name pathlib.PurePath.name",
        "lib_class re.Match",
        "lib_function re.search",
        "lib_function builtins.dict.get",
        "lib_base builtins.KeyError builtins.LookupError",
        "lib_base builtins.KeyError builtins.Exception",
        "lib_base collections.OrderedDict builtins.dict",
        "lib_stdlib xml.etree.ElementTree",
        "lib_stdlib xml",
        # Objects.
        "lib_instance re.Match() re.Match",
        "lib_instance builtins.list[xml.etree.ElementTree.Element]() builtins.list",
        "lib_value os.environ os._Environ()",
        "lib_item os._Environ() builtins.str()",
        "lib_item builtins.list[xml.etree.ElementTree.Element]() xml.etree.ElementTree.Element()",
        "lib_iteration xml.etree.ElementTree.Element() xml.etree.ElementTree.Element()",
        "lib_iteration _io.TextIOWrapper() builtins.str()",
        "lib_value re.RegexFlag.MULTILINE re.RegexFlag()",
        # Results.
        "lib_returns re.search re.Match()",
        "lib_returns re.compile re.Pattern()",
        "lib_returns xml.etree.ElementTree.Element.findall builtins.list[xml.etree.ElementTree.Element]()",
        "lib_returns builtins.open _io.TextIOWrapper()",
        "lib_returns os.getcwd builtins.str()",
        "lib_returns datetime.datetime.now datetime.datetime()",
        "lib_returns asyncio.streams.open_connection "
        "builtins.tuple[asyncio.streams.StreamReader,asyncio.streams.StreamWriter]()",
        "lib_returns sqlite3.Cursor.fetchone builtins.tuple()",
        "lib_returns_receiver _io._IOBase.__enter__",
        "lib_returns_receiver subprocess.Popen.__enter__",
        "lib_returns_receiver pathlib.PurePath.__truediv__",
        "lib_returns_receiver pathlib.PurePath.parent",
        "lib_returns_none builtins.list.append",
        "lib_returns_none builtins.print",
        "lib_returns_argument builtins.dict.get 1 _",
        "lib_returns_argument os._Environ.get 1 default",
        "lib_returns_argument builtins.getattr 2 _",
        "lib_returns_argument builtins.next 1 _",
        "lib_returns_argument builtins.max -1 default",
        "lib_returns_argument copy.copy 0 x",
        "lib_returns_argument typing.cast 1 val",
        "lib_returns_argument asyncio.runners.run 0 main",
        "lib_returns_argument dataclasses.field -1 default",
        "lib_returns_item builtins.dict.get",
        "lib_returns_item builtins.dict.pop",
        "lib_returns_item typing.MutableMapping.setdefault",
        "lib_returns_item builtins.list.pop",
        "lib_returns_item typing.MutableSet.pop",
        "lib_returns_contents builtins.list.copy -1",
        "lib_returns_contents builtins.dict.values -1",
        "lib_returns_contents builtins.dict.copy -1",
        "lib_returns_contents builtins.sorted 0",
        "lib_returns_contents builtins.list 0",
        "lib_returns_contents builtins.reversed 0",
        "lib_returns_contents builtins.iter 0",
        # None.
        "lib_nullable re.search 2",
        "lib_nullable re.search 3",
        "lib_nullable re.Pattern.match 1",
        "lib_nullable builtins.dict.get 1",
        "lib_nullable typing.Mapping.get 1",
        "lib_nullable os._Environ.get 1",
        "lib_nullable os.getenv 1",
        "lib_nullable shutil.which 1",
        "lib_nullable shutil.which 2",
        "lib_nullable shutil.which 3",
        "lib_nullable sqlite3.Cursor.fetchone 0",
        "lib_nullable xml.etree.ElementTree.Element.find 1",
        "lib_nullable importlib.util.find_spec 1",
        "lib_nullable inspect.getmodule 1",
        "lib_value_nullable xml.etree.ElementTree.Element.text",
        "lib_value_nullable urllib.parse._NetlocResultMixinBase.hostname",
        "lib_noreturn sys.exit",
        "lib_noreturn os._exit",
        "lib_noreturn os.abort",
        "lib_noreturn argparse.ArgumentParser.error",
        "lib_noreturn argparse.ArgumentParser.exit",
        "lib_noreturn unittest.case.TestCase.fail",
        "lib_noreturn unittest.case.TestCase.skipTest",
        # Changes in place.
        "lib_mutable builtins.list",
        "lib_mutable collections.Counter",
        "lib_mutates builtins.list.append",
        "lib_mutates typing.MutableMapping.update",
        "lib_mutates builtins.set.add",
        "lib_mutates collections.deque.appendleft",
    ],
)
def test_fact(facts: set[Fact], fact: str) -> None:
    name, *columns = fact.split(" ")
    kinds = [kind for _, kind in RELATIONS[name].columns]
    spelled = ("" if column == "_" else column.replace(",", ", ") for column in columns)
    row = tuple(int(c) if kind == "number" else c for c, kind in zip(spelled, kinds, strict=True))
    assert (name, *row) in facts


@pytest.mark.parametrize(
    "fact",
    [
        ("lib_nullable", "builtins.dict.get", 2),
        ("lib_nullable", "os.getenv", 2),
        ("lib_nullable", "builtins.getattr", 3),
        ("lib_nullable", "re.compile", 1),
        ("lib_nullable", "re.Match.group", 1),
        ("lib_nullable", "builtins.print", 1),
        ("lib_nullable", "inspect.currentframe", 0),
        ("lib_nullable", "xml.etree.ElementTree.Element.iterfind", 1),
        ("lib_nullable", "unittest.case.TestCase.assertRaises", 2),
        ("lib_value_nullable", "sys.stdout"),
        ("lib_value_nullable", "subprocess.Popen.stdout"),
        ("lib_value_nullable", "asyncio.subprocess.Process.stdout"),
        ("lib_value_nullable", "re.Match.lastgroup"),
        ("lib_returns_none", "re.search"),
        ("lib_mutates", "builtins.list.index"),
        ("lib_mutable", "builtins.tuple"),
        ("lib_returns_contents", "builtins.dict.keys", -1),
        ("lib_returns_contents", "builtins.filter", 1),
        ("lib_returns_contents", "urllib.parse.ParseResult", 0),
        ("lib_returns_receiver", "datetime.datetime.now"),
    ],
)
def test_no_fact(facts: set[Fact], fact: Fact) -> None:
    assert fact not in facts


@pytest.mark.parametrize(
    ("relation", "row"),
    [
        ("lib_fresh", ("copy.deepcopy",)),
        ("lib_fresh", ("collections.OrderedDict.copy",)),
        ("lib_returns_argument_item", ("builtins.next", 0, "")),
        ("lib_returns_argument_item", ("random.Random.choice", 0, "seq")),
        ("lib_returns_tuples", ("builtins.dict.items", -1, 1)),
        ("lib_returns_tuples", ("builtins.enumerate", 0, 1)),
        ("lib_returns_tuples", ("builtins.zip", 1, 1)),
        ("lib_stores", ("builtins.list.append", 0)),
        ("lib_stores", ("builtins.list.insert", 1)),
        ("lib_stores", ("typing.MutableMapping.setdefault", 1)),
        ("lib_stores_contents", ("builtins.list.extend", 0)),
        ("lib_item_nullable", ("builtins.tuple[builtins.str | None, builtins.str | None]()", 0)),
    ],
)
def test_told_before_the_schema_has_it(library: Library, relation: str, row: Fact) -> None:
    """Relations that are worked out and left out of the facts until the schema declares them."""
    assert row in library.rows(MODULES, relation)


def test_every_mentioned_object_has_a_class(facts: set[Fact]) -> None:
    instances = {fact[1] for fact in facts if fact[0] == "lib_instance"}
    mentioned = {fact[2] for fact in facts if fact[0] in ("lib_value", "lib_returns", "lib_item", "lib_iteration")}
    assert mentioned <= instances
    assert {fact[2] for fact in facts if fact[0] == "lib_instance"} <= {f[1] for f in facts if f[0] == "lib_class"}


def test_what_is_told_of_calls_is_told_of_functions(facts: set[Fact]) -> None:
    functions = {fact[1] for fact in facts if fact[0] == "lib_function"}
    assert {f[1] for f in facts if f[0] in ("lib_nullable", "lib_noreturn", "lib_returns_none")} <= functions
    assert not functions & {fact[1] for fact in facts if fact[0] in ("lib_class", "lib_value")}


def test_facts_of_a_union_are_the_union_of_facts(library: Library) -> None:
    left, right = ["re", "subprocess", "xml.etree.ElementTree"], ["sqlite3", "pathlib", "re"]
    both = facts_of(library.facts([*left, *right]))
    assert both == facts_of(library.facts(left)) | facts_of(library.facts(right))
    assert len(both) > len(facts_of(library.facts(left)))


def test_the_order_in_which_modules_are_read_makes_no_difference(library: Library, facts: set[Fact]) -> None:
    shuffled = list(MODULES)
    random.Random(7).shuffle(shuffled)
    fresh = Library()
    for module in shuffled:
        fresh.stored(module)
    assert facts_of(fresh.facts(shuffled)) == facts
    assert fresh.facts(MODULES) == library.facts(MODULES)


def test_module_facts_name_the_modules_they_mention() -> None:
    own, others = module_facts("shutil")
    assert ("lib_nullable", "shutil.which", 1) in facts_of(own)
    assert "builtins" in others
    assert "shutil" not in others
    assert module_facts("no.such.module") == (FileFacts(), [])


def test_unknown_names_are_ignored_and_builtins_are_always_there(library: Library) -> None:
    alone = facts_of(library.facts([]))
    assert ("lib_nullable", "builtins.dict.get", 1) in alone
    assert facts_of(library.facts(["numpy.linalg", "", ".", "no such name"])) == alone
    assert facts_of(library.facts(["shutil.which.nothing"])) == facts_of(library.facts(["shutil"]))


def test_cache_gives_the_same_facts(cache: Path, library: Library) -> None:
    expected = library.facts(["shutil", "json"])
    assert library_facts(["shutil", "json"], cache=cache) == expected
    assert library_facts(["json", "shutil"], cache=cache) == expected
    for kept in cache.rglob("set-*.json"):
        kept.unlink()
    warm = Library(cache=cache)
    assert warm.facts(["shutil", "json"]) == expected
    assert "_knowledge" not in vars(warm)  # no stub was read


def test_only_the_last_sets_are_kept(cache: Path) -> None:
    for number in range(25):
        (next(cache.rglob("modules.json")).parent / f"set-{number}.json").write_text("")
    library_facts(["json"], cache=cache)
    assert len(list(cache.rglob("set-*.json"))) == 16


def test_damaged_cache_is_made_again(cache: Path, library: Library) -> None:
    kept = sorted(path for path in cache.rglob("*.json"))
    assert len(kept) > 3
    for number, path in enumerate(kept):
        content = path.read_bytes()
        damaged = [b"", content[: len(content) // 2], content.replace(b"1", b"2"), b"\xff\x00" * 10]
        path.write_bytes(damaged[number % len(damaged)])
    assert library_facts(["shutil"], cache=cache) == library.facts(["shutil"])
    warm = Library(cache=cache)
    assert warm.facts(["shutil"]) == library.facts(["shutil"])
    assert "_knowledge" not in vars(warm)


def test_a_pipe_in_the_place_of_what_was_cached_is_not_waited_for(cache: Path, library: Library) -> None:
    for path in sorted(cache.rglob("*.json")):
        path.unlink()
        os.mkfifo(path)
    assert library_facts(["shutil"], cache=cache) == library.facts(["shutil"])


@pytest.mark.parametrize(
    "value",
    [
        [["a"], {"": [[], {"lib_class": ["s", [-1]]}]}],
        [["a"], {"": [[], {"lib_class": ["s", [5]]}]}],
        [["a"], {"": [[], {"lib_class": ["s", ["0"]]}]}],
        [["a"], {"": [[], {"lib_class": ["", [0]]}]}],
        [["a"], {"": [[], {"lib_class": ["ss", [0, 0]]}]}],
        [["a"], {"": [[], {"lib_nullable": ["sn", [0, 4294967296]]}]}],
        [["a"], {"": [[7, 7], {}]}],
        [["a"], {"": []}],
        [1],
        {},
    ],
)
def test_wrong_stored_form_is_noticed(value: object) -> None:
    assert _checked(value) is None


def test_forged_cache_with_a_right_digest_is_ignored(cache: Path, library: Library) -> None:
    cached = Library(cache=cache)
    for path in cache.rglob("set-*.json"):
        cached._write(path.stem, [["a"], {"": [[], {"lib_class": ["s", [5]]}]}])
    assert library_facts(["shutil"], cache=cache) == library.facts(["shutil"])


def test_unwritable_cache_costs_nothing_but_time(tmp_path: Path, library: Library) -> None:
    (tmp_path / "file").write_text("")
    assert library_facts(["shutil"], cache=tmp_path / "file") == library.facts(["shutil"])


# Model files.

SHOP = """
["shop.find_order"]
returns = "shop.Order | None"
["shop.fail"]
noreturn = true
["shop.pick"]
nullable = [1]
returns_argument = [{ position = 1, name = "default" }]
["shop.Order"]
bases = ["dict"]
mutates = ["add"]
["shop.Order.customer"]
value = "str | None"
["shop.Order.lines"]
returns = "list[shop.Line]"
["shop.Order.reload"]
returns_receiver = true
["shop.Line"]
kind = "class"
["re.search"]
nullable = false
"""


def test_models_of_other_libraries(tmp_path: Path) -> None:
    path = tmp_path / "shop.toml"
    path.write_text(SHOP)
    found = facts_of(library_facts(["shop", "re"], models=load_models([path]), cache=tmp_path))
    assert {
        ("lib_member", "shop", "find_order", "shop.find_order"),
        ("lib_returns", "shop.find_order", "shop.Order()"),
        ("lib_nullable", "shop.find_order", 0),
        ("lib_nullable", "shop.find_order", 3),
        ("lib_noreturn", "shop.fail"),
        ("lib_nullable", "shop.pick", 1),
        ("lib_returns_argument", "shop.pick", 1, "default"),
        ("lib_base", "shop.Order", "builtins.dict"),
        ("lib_mutable", "shop.Order"),
        ("lib_mutates", "shop.Order.add"),
        ("lib_member", "shop.Order", "get", "builtins.dict.get"),
        ("lib_value_nullable", "shop.Order.customer"),
        ("lib_returns", "shop.Order.lines", "builtins.list[shop.Line]()"),
        ("lib_item", "builtins.list[shop.Line]()", "shop.Line()"),
        ("lib_returns_receiver", "shop.Order.reload"),
        ("lib_returns", "re.search", "re.Match()"),
    } <= found
    assert not [fact for fact in found if fact[:2] == ("lib_nullable", "re.search")]
    assert ("lib_nullable", "shop.pick", 2) not in found
    assert ("lib_stdlib", "shop") in found
    assert "shop" not in Library().modules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nullable = ", "not valid TOML"),
        ("nullable = true", "nullable: expected a table"),
        ("[find]\nnullable = true", "expected a dotted name"),
        ("[shop.find]\nnullable = true", "quote the whole name"),
        ('["shop.find"]\nnulable = true', "unknown key 'nulable'; expected one of bases, "),
        (
            '["shop.find"]\nnullable = "yes"',
            '["shop.find"].nullable: expected true, false or a list of argument counts',
        ),
        ('["shop.find"]\nnullable = [-1]', "found [-1]"),
        ('["shop.find"]\nreturns = "list["', '["shop.find"].returns: expected a type such as'),
        ('["shop.find"]\nreturns_argument = 1', "expected a list of arguments such as { position = 1"),
        ('["shop.find"]\nreturns_argument = [{ index = 1 }]', "found [{'index': 1}]"),
        ('["shop.find"]\nnoreturn = 1', "expected true or false, found 1"),
        ('["shop.find"]\nkind = "method"', '"class", "function" or "value"'),
        ('["shop.class"]\nnoreturn = true', "expected a dotted name"),
    ],
)
def test_bad_model_file(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ModelError) as caught:
        load_models([path])
    assert str(caught.value).startswith(f"{path}: ")
    assert expected in str(caught.value)


def test_missing_and_binary_model_files(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        load_models([tmp_path / "none.toml"])
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelError, match="expected UTF-8 text"):
        load_models([tmp_path / "binary.toml"])


def test_built_in_models_name_what_the_stubs_have(library: Library) -> None:
    stubs = Stubs(stub_text(library.models, has_stubs))
    unknown = [name for name in library.models.entities if (found := stubs.find(name)) is None or found.name != name]
    assert not unknown, BUILTIN
    for name, model in library.models.entities.items():
        cls = stubs.find_class(name)
        listed = model.get("mutates", ())
        if cls is not None and isinstance(listed, list):
            assert set(listed) <= stubs.members(cls).keys(), name


def test_digest_of_models_follows_their_meaning(tmp_path: Path) -> None:
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('["a.b"]\nnullable = true\n["a.c"]\nnoreturn = true\n')
    second.write_text('# comment\n["a.c"]\nnoreturn = true\n["a.b"]\nnullable = true\n')
    assert load_models([first]).digest() == load_models([second]).digest()
    assert load_models([first]).digest() != load_models().digest()


def test_stored_form_is_plain_json(cache: Path) -> None:
    for path in cache.rglob("*.json"):
        json.loads(path.read_bytes().partition(b"\n")[2])


def test_what_calls_need_and_show_is_told_of_functions_that_there_are(library: Library) -> None:
    """models/python_calls.toml: each name is one of the stubs, or of a package that is installed."""
    calls = tomllib.loads(
        resources.files("pliant.extractors").joinpath("models", "python_calls.toml").read_text("utf-8")
    )
    names = [*calls["needs"], *calls["fails"], *calls["checks"], *calls["suppresses"]]
    modules = sorted({name.partition(".")[0] for name in names} - {"pytest"})
    members = {each[1:3]: each[3] for each in facts_of(library.facts(modules)) if each[0] == "lib_member"}
    for name in names:
        first, *rest = name.split(".")
        if first == "pytest":
            assert hasattr(pytest, rest[0]), name
            continue
        owner: str | int = first
        for part in rest:
            assert (owner, part) in members, name
            owner = members[owner, part]


@pytest.mark.parametrize("name", SEMANTICS.fails)
def test_what_is_said_to_fail_for_none_does(name: str) -> None:
    module, _, function = name.rpartition(".")
    objects = {"builtins.str": "", "re.Pattern": re.compile("")}
    owner = objects[module] if module in objects else importlib.import_module(module)
    fails = getattr(owner, function)
    for position in SEMANTICS.fails[name]:
        for count in range(position + 1, 4):
            arguments = [None if each == position else "a" for each in range(count)]
            with pytest.raises((TypeError, ValueError)):
                fails(*arguments)
