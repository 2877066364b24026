"""The fact cache: what it keeps, what it puts together, and what it does not believe."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from toy import Toy

from pliant.ci.fact_diff import difference
from pliant.extractors import blobs, columns, workers
from pliant.extractors.blobs import FactCache, Location, Source
from pliant.extractors.facts import Diagnostic
from pliant.extractors.languages import LANGUAGES, Language
from pliant.extractors.packs import MAGIC, write_pack
from pliant.extractors.schema import RELATIONS
from pliant.extractors.tables import FactTable, together

TOY = Toy()
Fact = tuple[str, tuple[object, ...]]


class Blobs:
    """An object database that knows what was read."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.read_oids: list[str] = []

    def source(self, path: str, text: str | bytes, language: Toy | Language = TOY) -> Source:
        content = text.encode() if isinstance(text, str) else text
        oid = hashlib.sha1(content, usedforsecurity=False).hexdigest()
        self.contents[oid] = content
        return Source(path, oid, language)

    def read(self, oids: list[str]) -> Iterator[tuple[str, bytes]]:
        for oid in oids:
            self.read_oids.append(oid)
            yield oid, self.contents[oid]


def facts_of(symbols: pa.Array, rows: dict[str, np.ndarray]) -> set[Fact]:
    texts = symbols.to_pylist()
    return {
        (
            name,
            tuple(
                texts[value] if kind == "symbol" else value
                for value, (_, kind) in zip(row, RELATIONS[name].columns, strict=True)
            ),
        )
        for name, table in rows.items()
        for row in table.tolist()
    }


def of_table(table: FactTable) -> set[Fact]:
    return facts_of(table.symbols, table.rows)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def store() -> Blobs:
    return Blobs()


def packs(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.facts"))


def test_own_symbols_get_the_path_and_others_do_not(store: Blobs) -> None:
    cache = FactCache(None)
    sources = [store.source("a|b.toy", "x = lib.os\ny = x\n"), store.source("c.toy", "x = lib.os\ny = x\n")]
    assert cache.ensure(sources, store.read) == 1
    table = cache.table(sources)
    assert of_table(table) == {
        *(("assign", (f"{path}|x", "lib.os")) for path in ("a%7Cb.toy", "c.toy")),
        *(("assign", (f"{path}|y", f"{path}|x")) for path in ("a%7Cb.toy", "c.toy")),
        *(("actual", (f"{path}|x", 1, "lib.os")) for path in ("a%7Cb.toy", "c.toy")),
        *(("actual", (f"{path}|y", 2, f"{path}|x")) for path in ("a%7Cb.toy", "c.toy")),
    }
    assert table.facts == 8
    assert set(np.array(table.symbols)[~table.own]) == {"lib.os"}
    assert cache.places(sources[0])["a%7Cb.toy|y"] == Location("a|b.toy", 2, 0, 2, 5)


def test_no_files_have_no_facts() -> None:
    cache = FactCache(None)
    table = cache.table([])
    assert table.facts == 0 and len(table.symbols) == 0
    assert together([table, table]).facts == together([]).facts == 0


def test_a_blob_is_extracted_once(tmp_path: Path, store: Blobs, said: list[str]) -> None:
    sources = [store.source(f"f{number}.toy", f"x{number} = y\n?odd\n") for number in range(150)]
    cache = FactCache(tmp_path, said.append)
    assert cache.ensure(sources, store.read) == 150
    assert cache.ensure(sources, store.read) == 0
    cache.flush()
    again = FactCache(tmp_path, said.append)
    assert again.ensure([*sources, store.source("new.toy", "a = b\n")], store.read) == 1
    assert len(store.read_oids) == 151
    assert of_table(again.table(sources)) == of_table(cache.table(sources))
    assert again.summaries(sources[:2]) == cache.summaries(sources[:2])
    summary = again.summaries(sources)[3]
    assert (summary.library, summary.lines, summary.unmodelled) == (("os",), 2, {"goto": 2})
    assert summary.diagnostics == (Diagnostic(2, "odd", "part", "|f"),)
    assert said == []


def test_another_version_of_a_language_extracts_anew(tmp_path: Path, store: Blobs) -> None:
    for language in (Toy(version="1"), Toy(version="2"), Toy(name="other")):
        cache = FactCache(tmp_path)
        assert cache.ensure([store.source("a.toy", "x = y\n", language)], store.read) == 1
        cache.flush()


def test_what_a_killed_process_left_of_a_pack_is_removed_but_not_what_another_writes(
    tmp_path: Path, store: Blobs, said: list[str]
) -> None:
    cache = FactCache(tmp_path, said.append)
    cache.ensure([store.source("a.toy", "x = y\n")], store.read)
    cache.flush()
    folder = packs(tmp_path)[0].parent
    (folder / ".left.tmp").write_bytes(b"half")
    (folder / ".link.tmp").symlink_to("/etc/passwd")
    with (folder / ".busy.tmp").open("xb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert FactCache(tmp_path, said.append).has(store.source("a.toy", "x = y\n"))
        assert {path.name for path in folder.glob(".*.tmp")} == {".busy.tmp"}
    assert Path("/etc/passwd").exists() and not said


def test_many_packs_become_one(tmp_path: Path, store: Blobs, said: list[str]) -> None:
    sources = [store.source(f"f{number}.toy", f"x{number} = y\n") for number in range(40)]
    for source in sources:
        cache = FactCache(tmp_path, said.append)
        cache.ensure([source], store.read)
        cache.flush()
    assert len(packs(tmp_path)) <= 17
    cache = FactCache(tmp_path, said.append)
    assert cache.ensure(sources, store.read) == 0
    assert len(of_table(cache.table(sources))) == 80
    assert said == []


def _flip(path: Path, position: int) -> None:
    content = bytearray(path.read_bytes())
    content[position] ^= 0xFF
    path.write_bytes(content)


@pytest.mark.parametrize("position", [0, 18, 40, 200, 700, -100, -600])
def test_a_flipped_bit_is_never_believed(tmp_path: Path, store: Blobs, position: int) -> None:
    source = store.source("a.toy", "x = y\ny = z\n")
    cache = FactCache(tmp_path)
    cache.ensure([source], store.read)
    cache.flush()
    expected = of_table(cache.table([source]))
    [pack] = packs(tmp_path)
    _flip(pack, position)
    again = FactCache(tmp_path)
    again.ensure([source], store.read)
    assert of_table(again.table([source])) == expected


@pytest.mark.parametrize("content", [b"", b"hello", b"pliant facts 1\n" + b"\xff" * 8, b"pliant facts 1\n" + bytes(8)])
def test_a_foreign_pack_is_ignored_with_a_message(
    tmp_path: Path, store: Blobs, said: list[str], content: bytes
) -> None:
    folder = tmp_path / f"toy-{blobs.version_of(TOY)}"
    folder.mkdir()
    (folder / "foreign.facts").write_bytes(content)
    cache = FactCache(tmp_path, said.append)
    assert cache.ensure([store.source("a.toy", "x = y\n")], store.read) == 1
    assert len(said) == 1 and "foreign.facts" in said[0]


def _forge(folder: Path, oid: str, changed: dict[str, pa.Array]) -> None:
    """A pack with matching digests and wrong content."""
    batch = columns.batch_of([TOY.extract(b"x = y\ny = z\n")])
    arrays = [changed.get(name, column) for name, column in zip(batch.schema.names, batch.columns, strict=True)]
    forged = pa.RecordBatch.from_arrays(arrays, schema=batch.schema)
    folder.mkdir(exist_ok=True)
    with (folder / "forged.facts").open("wb") as stream:
        write_pack(stream.write, [([oid], forged)])


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("rows/assign", [0, 99]),
        ("rows/assign", [-1, 0]),
        ("rows/assign", [0, 1, 2]),
        ("rows/actual", [0, 7, 99]),
        ("places", [99, 1, 1, 1, 1]),
        ("places", [0, 1]),
        ("diagnostic_lines", [1]),
        ("diagnostic_scopes", ["half"]),
        ("unmodelled_counts", []),
    ],
)
def test_a_forged_index_is_never_used(
    tmp_path: Path, store: Blobs, said: list[str], column: str, values: list[object]
) -> None:
    source = store.source("a.toy", "x = y\ny = z\n?odd\n")
    forged = pa.array([values], blobs.BLOB_SCHEMA.field(column).type)
    _forge(tmp_path / f"toy-{blobs.version_of(TOY)}", source.oid, {column: forged})
    cache = FactCache(tmp_path, said.append)
    assert cache.ensure([source], store.read) == 1
    assert len(cache.table([source]).rows["assign"]) == 2
    assert len(said) == 1 and "forged.facts" in said[0]


def test_a_header_that_points_out_of_the_file_is_ignored(tmp_path: Path, store: Blobs, said: list[str]) -> None:
    folder = tmp_path / f"toy-{blobs.version_of(TOY)}"
    folder.mkdir()
    entries = [
        {"offset": 1 << 40, "length": 8, "sha256": "", "blobs": []},
        {"offset": -64, "length": 8, "sha256": "", "blobs": []},
        {"offset": float("inf"), "length": 8, "sha256": "", "blobs": []},
        {"offset": float("nan"), "length": 8, "sha256": "", "blobs": []},
        {"offset": 0, "length": 0, "sha256": "", "blobs": []},
        {"offset": 0, "length": 8, "sha256": "", "blobs": [3]},
        {"offset": 0, "length": 8, "sha256": "", "blobs": 3},
        {"offset": 0},
        [],
    ]
    headers = [json.dumps([entry]) for entry in entries]
    headers += ["[" * 100_000, "9" * 5000, "3", "null", "{}x", "\ud800"]
    for number, text in enumerate(headers):
        header = text.encode("utf-8", "surrogatepass") + b"\n"
        start = MAGIC + len(header).to_bytes(8, "little") + header
        (folder / f"{number}.facts").write_bytes(start + bytes(512))
    (folder / "link.facts").symlink_to("/etc/passwd")
    cache = FactCache(tmp_path, said.append)
    assert cache.ensure([store.source("a.toy", "x = y\n")], store.read) == 1
    assert len(said) == len(headers) + 1
    assert Path("/etc/passwd").exists()


def test_a_cache_that_cannot_be_written_is_a_message(tmp_path: Path, store: Blobs, said: list[str]) -> None:
    (tmp_path / "file").touch()
    cache = FactCache(tmp_path / "file", said.append)
    source = store.source("a.toy", "x = y\n")
    cache.ensure([source], store.read)
    cache.flush()
    assert len(said) == 1 and len(of_table(cache.table([source]))) == 2


# Instructions

PYTHON = LANGUAGES["python"]


def instruction_packs(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.instructions"))


def test_instructions_are_kept_beside_the_facts(tmp_path: Path, store: Blobs, said: list[str]) -> None:
    sources = [store.source(f"f{number}.py", f"def f(x):\n    return x + {number}\n", PYTHON) for number in range(70)]
    cache = FactCache(tmp_path, said.append)
    cache.ensure(sources[:-1], store.read)
    expected = [PYTHON.extract(store.contents[source.oid]).instructions for source in sources[:-1]] + [None]
    assert [cache.instructions(source) for source in sources] == expected
    cache.flush()
    again = FactCache(tmp_path, said.append)
    assert [again.instructions(source) for source in sources] == expected
    assert len(store.read_oids) == 69 and said == []


def test_many_packs_of_instructions_become_one(tmp_path: Path, store: Blobs) -> None:
    sources = [store.source(f"f{number}.py", f"x = {number}\n", PYTHON) for number in range(20)]
    for source in sources:
        cache = FactCache(tmp_path)
        cache.ensure([source], store.read)
        cache.flush()
    assert len(instruction_packs(tmp_path)) == len(packs(tmp_path)) <= 17
    cache = FactCache(tmp_path)
    for source in sources:
        assert cache.instructions(source) == PYTHON.extract(store.contents[source.oid]).instructions


@pytest.mark.parametrize("position", [0, 25, 60, 300, -40, -200])
def test_a_flipped_bit_of_instructions_is_never_believed(tmp_path: Path, store: Blobs, position: int) -> None:
    source = store.source("a.py", "def f(x):\n    return x.y\n", PYTHON)
    cache = FactCache(tmp_path)
    cache.ensure([source], store.read)
    cache.flush()
    [pack] = instruction_packs(tmp_path)
    _flip(pack, position)
    again = FactCache(tmp_path)
    assert again.instructions(source) in (None, cache.instructions(source))
    assert again.ensure([source], store.read) == 0  # its facts are whole


@pytest.mark.parametrize("content", [b"", b"hello", b"pliant instructions 2\n" + b"\xff" * 8, MAGIC + bytes(64)])
def test_a_foreign_pack_of_instructions_is_ignored_with_a_message(
    tmp_path: Path, store: Blobs, said: list[str], content: bytes
) -> None:
    folder = tmp_path / f"python-{blobs.version_of(PYTHON)}"
    folder.mkdir()
    (folder / "foreign.instructions").write_bytes(content)
    (folder / "link.instructions").symlink_to("/etc/passwd")
    source = store.source("a.py", "x = 1\n", PYTHON)
    assert FactCache(tmp_path, said.append).instructions(source) is None
    assert len(said) == 2 and "foreign.instructions" in said[0]
    assert Path("/etc/passwd").exists()


def test_the_bounds_of_a_cache_hold_for_instructions(
    tmp_path: Path, store: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pliant.extractors.packs._MAX_BYTES", 3000)
    for number in range(8):
        cache = FactCache(tmp_path)
        cache.ensure([store.source("a.py", f"x = {number}\n", PYTHON)], store.read)
        cache.flush()
    there = instruction_packs(tmp_path)
    assert 0 < sum(path.stat().st_size for path in there) <= 3000 and len(there) < 8
    assert FactCache(tmp_path).instructions(store.source("a.py", "x = 7\n", PYTHON)) is not None


# Extraction


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = y\n\0\n", "a binary file, or one that no compiler reads: there is a byte 0 in line 2"),
        (b"#" * (workers.MAX_BYTES + 1), "more than the 2,097,152 bytes that are analysed"),
        (b"!raise\n", "the toy extractor failed: ValueError: no way"),
        (b"!recurse\n", "nested too deeply"),
        (b"!surrogate\n", "the toy extractor failed: UnicodeEncodeError"),
        (b"ok = ok\n\xff = b\n", "not UTF-8 from here on"),
    ],
)
def test_what_is_wrong_with_a_source_is_a_diagnostic(content: bytes, message: str) -> None:
    facts = workers.extract(TOY, content)
    assert facts.diagnostics[0].reason.startswith(message)
    if b"ok" in content:
        assert facts.diagnostics[0].line == 2
        assert "|ok" in facts.symbols


def test_a_byte_order_mark_is_not_source() -> None:
    assert workers.extract(TOY, b"\xef\xbb\xbfa = b\n").symbols == ["|a", "|b"]


def test_processes_give_what_one_process_gives(store: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [store.source(f"f{number}.toy", f"x{number} = y\n" * 2000) for number in range(60)]
    tables = []
    for cores in (1, 2):
        monkeypatch.setattr(workers, "_cores", lambda cores=cores: cores)
        cache = FactCache(None)
        assert cache.ensure(sources, store.read) == 60
        tables.append(cache.table(sources))
    assert tables[0].symbols.equals(tables[1].symbols)
    assert of_table(tables[0]) == of_table(tables[1])


def test_a_source_that_takes_its_process_down_is_a_diagnostic(store: Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_cores", lambda: 2)
    texts = [f"x{number} = y\n" for number in range(40)]
    texts[7] = "!die\n"
    sources = [store.source(f"f{number}.toy", text) for number, text in enumerate(texts)]
    cache = FactCache(None)
    assert cache.ensure(sources, store.read) == 40
    remarks = [summary.diagnostics for summary in cache.summaries(sources)]
    assert [bool(remark) for remark in remarks] == [number == 7 for number in range(40)]
    assert "process ended" in remarks[7][0].reason


def test_a_module_in_the_current_folder_is_not_imported(
    store: Blobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("array", "pickle", "contextlib", "tree_sitter", "subprocess", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'trap')!r}, 'w')\nraise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workers, "_cores", lambda: 2)
    sources = [store.source(f"f{number}.toy", f"x{number} = y\n") for number in range(40)]
    cache = FactCache(None)
    cache.ensure(sources, store.read)
    assert not any(summary.diagnostics for summary in cache.summaries(sources))
    assert not (tmp_path / "trap").exists()


# Differences


def tables(store: Blobs, *texts: str) -> list[FactTable]:
    cache = FactCache(None)
    sources = [store.source(f"f{number}.toy", text) for number, text in enumerate(texts)]
    cache.ensure(sources, store.read)
    return [cache.table([source]) for source in sources]


def test_difference_is_of_sets_of_facts(store: Blobs) -> None:
    cache = FactCache(None)
    old, new = store.source("f.toy", "a = b\nb = c\na = b\n"), store.source("f.toy", "a = b\nb = d\n")
    cache.ensure([old, new], store.read)
    diff = difference([cache.table([old])], [cache.table([new])])
    assert facts_of(diff.symbols, diff.inserted) == {
        ("assign", ("f.toy|b", "f.toy|d")),
        ("actual", ("f.toy|b", 2, "f.toy|d")),
    }
    assert facts_of(diff.symbols, diff.deleted) == {
        ("assign", ("f.toy|b", "f.toy|c")),
        ("actual", ("f.toy|b", 2, "f.toy|c")),
        ("actual", ("f.toy|a", 3, "f.toy|b")),
    }
    assert diff.size == (2, 3) and not diff.shared


def test_equal_sides_have_no_difference(store: Blobs) -> None:
    [table] = tables(store, "a = b\n")
    assert difference([table], [table]).size == (0, 0)
    assert difference([], []).size == (0, 0)


def test_a_fact_that_names_no_entity_of_a_file_is_told_apart(store: Blobs) -> None:
    plain, shared = tables(store, "a = b\n", "lib.a = lib.b\n")
    assert not difference([plain], []).shared
    assert difference([plain], [plain, shared]).shared


def test_random_rows_differ_as_sets_do() -> None:
    rng = np.random.default_rng(7)
    symbols = pa.array([f"s{number}" for number in range(50)])
    own = np.ones(50, dtype=bool)
    for relation in ("assign", "formal", "phi", "generator"):
        arity = RELATIONS[relation].arity
        a, b = (FactTable(symbols, own, {relation: rng.integers(0, 6, (200, arity))}) for _ in range(2))
        diff = difference([a], [b])
        assert facts_of(diff.symbols, diff.inserted) == of_table(b) - of_table(a)
        assert facts_of(diff.symbols, diff.deleted) == of_table(a) - of_table(b)


def test_a_million_facts_come_together_within_a_second(store: Blobs) -> None:
    """The budget is generous: 0.1 s is what two cores need."""
    text = "".join(f"x{number} = y{number % 7}\n" for number in range(500))
    sources = [store.source(f"f{number}.toy", f"{text}z{number} = y\n") for number in range(60)]
    cache = FactCache(None)
    cache.ensure(sources, store.read)
    many = [Source(f"{number}/{source.path}", source.oid, TOY) for number in range(17) for source in sources]
    before = os.times()
    table = cache.table(many)
    after = os.times()
    assert table.facts > 1_000_000
    assert after.user + after.system - before.user - before.system < 1.0
