"""A report with one finding of each kind, and one in which every text is hostile."""

from __future__ import annotations

from dataclasses import replace

from pliant.analyses.findings import Finding, Place, Step, Unread
from pliant.ci.report import Remark, Report, Revision, Side, Size, Stratum, ordered

SOURCES = {
    ("head", "shop/catalogue.py"): ["def find(number):", "    if number not in known:", "        return None"],
    ("head", "shop/checkout.py"): ["article = find(number)", "\tprint(article.name)"],
    ("base", "shop/old name.py"): ["x = None", "x.y"],
}


def source(side: Side, file: str) -> list[str]:
    return SOURCES.get((side, file), [])


NEW = Finding(
    rule="null.attribute",
    status="new",
    file="shop/checkout.py",
    line=2,
    function="price_tag",
    message="`article` may be None where its attribute `name` is read",
    severity="error",
    confidence="high",
    fingerprint="0123456789abcdef",
    path=[
        Step("shop/catalogue.py", 3, "`find` returns None here", "find"),
        Step("shop/checkout.py", 1, "the call of `find` gives it to `article`", "price_tag"),
        Step("shop/checkout.py", 2, "its attribute `name` is read", "price_tag"),
    ],
    cause=[Place("shop/catalogue.py", 3)],
)
FIXED = replace(
    NEW, status="fixed", file="shop/old name.py", line=2, function="", path=[], cause=[], severity="warning"
)
UNKNOWN = replace(
    NEW, status="unknown", cause=[], unread=[Unread("head", "data/big.py", 1, "not analysed: a binary file")]
)
UNCHANGED = replace(NEW, status="unchanged", rule="alias.mutable_default", severity="note", path=[], cause=[])


def report(*findings: Finding) -> Report:
    return Report(
        version="1.2.3",
        repository="shop",
        base=Revision("main", "a" * 40),
        head=Revision("pr", "b" * 40),
        findings=ordered(findings),
        unchanged=3,
        files=12,
        changed_files=1,
        extracted_files=1,
        start="stored",
        strata=[Stratum(("reach", "null_flow"), "update", "within its budget", 17, 5, 3, 0.0125)],
        facts=Size(4, 2),
        derived=Size(7, 1),
        seconds={"git": 0.01, "update": 0.02},
        remarks=[
            Remark("data/big.py", 1, "a binary file", level="warning"),
            Remark("data/x.h", 3, "not valid C here", "part", "f"),
        ],
        notes=["one thing to know"],
        source=source,
        changed_lines={"shop/catalogue.py": [(3, 3)]},
    )


HOSTILE = "a\n\x1b[2J::error::\r\u202e\udcff.py"


def hostile() -> Report:
    step = Step(HOSTILE, 1, HOSTILE, HOSTILE)
    found = Finding(HOSTILE, "new", HOSTILE, 1, HOSTILE, HOSTILE, "error", "low", HOSTILE, [step], [Place(HOSTILE, 1)])
    result = report(found, replace(found, status="fixed"))
    result.source = lambda side, file: [HOSTILE]
    result.remarks = [Remark(HOSTILE, 1, HOSTILE, level="warning"), Remark(HOSTILE, 2, HOSTILE, "part", HOSTILE)]
    result.notes = [HOSTILE]
    result.base = Revision(HOSTILE, "c" * 40)
    return result
