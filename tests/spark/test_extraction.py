"""Extraction as an Arrow function gives what extraction in this process gives, hostile sources included."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from pliant.ci.pipeline.extraction import BLOBS, extract_batches, extracted, unpacked
from pliant.extractors.blobs import FactCache, Source
from pliant.extractors.columns import columns_of
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.workers import extract

SOURCES = {
    ("python", "a"): b"def f(x):\n    y = None\n    return y.name\n",
    ("python", "deep"): b"x = " + b"(" * 100_000,
    ("java", "b"): b"class A { Object f() { return null; } }\n",
    ("c", "b"): b"int *f(void) { int *p = 0; return p; }\n",
    ("c", "binary"): b"\0\1\2",
    ("python", "bytes"): b"s = '\xff'\n",
}
ROWS = [(oid, language, content) for (language, oid), content in SOURCES.items()]


def check(batches: list[pa.RecordBatch]) -> None:
    found = {}
    for batch in batches:
        keys, columns = unpacked(batch)
        found.update((key, columns.slice(row, 1)) for row, key in enumerate(keys))
    assert found.keys() == SOURCES.keys()
    for (language, oid), columns in found.items():
        expected = columns_of([extract(LANGUAGES[language], SOURCES[language, oid])])
        assert columns.to_pylist() == expected.to_pylist(), (language, oid)


def test_facts_are_those_of_this_process() -> None:
    oids, languages, contents = zip(*ROWS, strict=True)
    blobs = pa.record_batch({"oid": oids, "language": languages, "content": pa.array(contents, pa.binary())})
    check(list(extract_batches([blobs, blobs.slice(0, 0)])))


def test_facts_of_a_data_frame_are_those_of_this_process(spark: Any) -> None:
    packed = extracted(spark.createDataFrame(ROWS, BLOBS).repartition(2)).toArrow()
    check(packed.to_batches())


def test_a_fact_cache_adopts_what_was_extracted_elsewhere() -> None:
    sources = [Source(f"{oid}.x", oid, LANGUAGES[language]) for language, oid in SOURCES]
    ours, theirs = FactCache(None), FactCache(None)
    assert len(ours.missing([*sources, *sources])) == len(sources)
    for source in sources:
        content = SOURCES[source.language.name, source.oid]
        ours.adopt(source.language, [source.oid], columns_of([extract(LANGUAGES[source.language.name], content)]))
    assert not ours.missing(sources)
    theirs.ensure(sources, lambda oids: ((oid, _content(oid)) for oid in oids))
    for source in sources:
        if source.oid != "b":  # two languages have one; `_content` tells the first
            assert ours.table([source]).symbols == theirs.table([source]).symbols


def _content(oid: str) -> bytes:
    return next(content for (_, each), content in SOURCES.items() if each == oid)
