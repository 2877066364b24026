"""`pliant explain`: one finding with all that it rests on, down to the facts of the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from pliant.analyses.describe import Explained
from pliant.analyses.findings import Condition, Finding, Place, Step, Witness
from pliant.analyses.ranking import Ranking
from pliant.analyses.sentences import sentence
from pliant.ci.commits import Progress, no_progress
from pliant.ci.comparison import Compared, Comparison, Request, compare, on_sound_states
from pliant.ci.errors import UserError, visible, visible_path
from pliant.ci.side_sources import Sources
from pliant.engine import Evaluation, Proof
from pliant.extractors.facts import OWN

_MAX_WIDTH = 140
_NEAREST = 5


@dataclass(slots=True)
class Line:
    """A tuple of a proof. depth: of the tuple in the proof; again: it was explained before."""

    depth: int
    says: str
    file: str = ""
    line: int = 0
    source: str = ""
    is_fact: bool = False
    again: bool = False


@dataclass(slots=True)
class Explanation:
    """finding: with its path and cause. excerpts: of source lines by file and line; removed: the same of the base, of
    the removed lines that cause it. proofs: for each origin of the null, or of the object; that of the path first.
    ranking: what makes it likely or not."""

    finding: Finding
    excerpts: dict[tuple[str, int], str]
    ranking: Ranking
    removed: dict[tuple[str, int], str] = field(default_factory=dict)
    proofs: list[list[Line]] = field(default_factory=list)


def explain(
    request: Request, fingerprint: str, say: Callable[[str], None], progress: Progress = no_progress
) -> Explanation:
    """The finding with that fingerprint (or the beginning of one) between base and head, silenced ones too."""
    return on_sound_states(
        lambda comparison: _explain(request, comparison, fingerprint, progress), request, say, progress
    )


def _explain(request: Request, comparison: Comparison, fingerprint: str, progress: Progress) -> Explanation:
    explained = Explained(fingerprint)
    compared = compare(request, comparison, progress, explained)
    finding = _chosen(compared, fingerprint)
    state = compared.base if finding.of_base else compared.head
    side = compared.before if finding.of_base else compared.after
    proved = explained.proofs.get((finding.fingerprint, finding.status), ())
    proofs = [list(lines_of(proof, state.evaluation, side)) for proof in proved]
    gone = {(each.file, each.line): _excerpt(compared.before, each.file, each.line) for each in finding.removed}
    return Explanation(finding, _excerpts(compared, finding), _ranking(compared), gone, proofs)


def refuted(request: Request, say: Callable[[str], None], progress: Progress = no_progress) -> list[Explanation]:
    """The new and the fixed findings between base and head that are refuted, without their proofs."""

    def run(comparison: Comparison) -> list[Explanation]:
        compared = compare(request, comparison, progress, Explained(refuted=True))
        found = [each for each in compared.findings if each.witness and each.witness.verdict == "refuted"]
        return [Explanation(each, _excerpts(compared, each), _ranking(compared)) for each in found]

    return on_sound_states(run, request, say, progress)


def _excerpts(compared: Compared, finding: Finding) -> dict[tuple[str, int], str]:
    side = compared.before if finding.of_base else compared.after
    places: list[Place | Step | Condition] = [*finding.path, *finding.cause]
    if finding.witness is not None:
        of_ways = (each.condition for each in finding.witness.contradictions)
        places += [*finding.witness.conditions, *(each for each in of_ways if each is not None)]
    asked = [(finding.file, finding.line), *((each.file, each.line) for each in places)]
    return {
        **{(file, line): _excerpt(side, file, line) for file, line in asked},
        **{(each.file, each.line): _excerpt(compared.after, each.file, each.line) for each in finding.fixed_by},
    }


def _chosen(compared: Compared, fingerprint: str) -> Finding:
    found = [finding for finding in compared.findings if finding.fingerprint.startswith(fingerprint)]
    exact = [finding for finding in found if finding.fingerprint == fingerprint]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if exact:  # fixed in the base, and new elsewhere
        return min(exact, key=lambda finding: ("new", "unchanged", "unknown", "fixed").index(finding.status))
    shown = visible(fingerprint[:40])
    if found:
        listed = ", ".join(finding.fingerprint for finding in found[:_NEAREST])
        raise UserError(f"{shown} is the beginning of several fingerprints: {listed}")
    raise UserError(
        f"no finding has the fingerprint {shown}: `pliant check --all --format json` lists those of base and head"
    )


def lines_of(proof: Proof, evaluation: Evaluation, side: Sources) -> Iterator[Line]:
    """A proof from the use downwards, each tuple once, its facts before what is derived."""
    names: dict[int, str] = {}

    def text(entry: int) -> str:
        if entry not in names:
            known = 0 <= entry < len(evaluation.symbols)
            names[entry] = evaluation.strings([entry])[0] if known else ""
        return names[entry]

    seen: set[int] = set()
    todo = [(proof, 0)]
    while todo:
        part, depth = todo.pop()
        kinds = evaluation.program.schema(part.relation).kinds
        if part.aggregation is None:
            says = sentence(part.relation, part.row, kinds, text)
        else:
            says = f"`{part.aggregation.text}` is {part.row[-1]}"
        line = Line(depth, says, is_fact=part.is_input)
        for entry, kind in zip(part.row, kinds, strict=True):
            symbol = text(entry) if kind == "symbol" else ""
            place = side.locate(symbol) if OWN in symbol else None
            if place is not None:
                line.file, line.line = place.file, place.line
                line.source = _excerpt(side, place.file, place.line)
                break
        line.again = id(part) in seen and bool(part.body)
        yield line
        if id(part) not in seen:
            seen.add(id(part))
            below = sorted(part.body, key=lambda each: not each.is_input)
            todo.extend((each, depth + 1) for each in reversed(below))


def _excerpt(side: Sources, file: str, line: int) -> str:
    lines = side.lines(file)
    text = lines[line - 1].expandtabs(4).strip() if 0 < line <= len(lines) else ""
    return text if len(text) <= _MAX_WIDTH else f"{text[:_MAX_WIDTH]}..."


def _answer(witness: Witness) -> str:
    """What a witness says."""
    if witness.verdict == "open":
        return f"open: nobody knows whether the null can come here: {witness.reason}"
    if witness.verdict == "refuted":
        return "refuted: on no way that the rules know does the null come here"
    return "witnessed: there is an execution in which the null comes here"


def _at(explanation: Explanation, file: str, line: int) -> str:
    source = explanation.excerpts.get((file, line), "")
    return f"{visible_path(file)}:{line}{f' | {visible(source)}' if source else ''}"


def _ranking(compared: Compared) -> Ranking:
    return compared.changed_lines.selection.config.ranking


def _likelihood(finding: Finding, ranking: Ranking) -> Iterator[str]:
    """How likely it is true, and the features that say most for it and against it."""
    if finding.probability is None:
        return
    said = ranking.reasons(finding.features)
    by = "what it rests on" if finding.features else "how many such findings were true"
    yield f"  true with a probability of {finding.probability:.2f}, by {by} (docs/analyses.md){':' if said else ''}"
    for which, sign in (("for it", 1), ("against it", -1)):
        parts = [f"{name} ({odds:+.1f})" for name, odds in said if odds * sign > 0]
        if parts:
            yield f"    {which}: {', '.join(parts)}"


def as_title(explanation: Explanation) -> Iterator[str]:
    """What was found, and whether an execution was."""
    finding = explanation.finding
    where = f" in {visible(finding.function)}" if finding.function else ""
    yield f"{finding.rule}{where}: {finding.status}, {finding.severity}, confidence {finding.confidence}"
    yield f"  {visible(finding.message)}"
    yield f"  {_at(explanation, finding.file, finding.line)}"
    yield from _likelihood(finding, explanation.ranking)
    if finding.witness is None:
        return
    yield f"  {visible(_answer(finding.witness))}"
    for each in finding.witness.contradictions:
        if each.condition is None:
            yield f"    {visible(each.reason)}"
        else:
            text, comes = visible(each.condition.text), visible(each.condition.value)
            yield f"    `{text}` is {comes} where the null comes, and {visible(each.otherwise)} where it is used"
            yield f"       {_at(explanation, each.condition.file, each.condition.line)}"


def as_text(explanation: Explanation) -> Iterator[str]:
    finding = explanation.finding
    at = partial(_at, explanation)
    yield from as_title(explanation)
    if finding.suppressed is not None:
        by = finding.suppressed
        yield f"  silenced by the {by.by}{f' at {visible_path(by.file)}:{by.line}' if by.file else ''}"
    if finding.matched:
        yield f"  the same as in the base: {visible(finding.matched)}"
    for unread in finding.unread:
        yield f"  it depends on what was not analysed of the {unread.side}: {at(unread.file, unread.line)}"
        yield f"    {visible(unread.message)}"
    if finding.witness is not None and finding.witness.conditions:
        yield "it fails when:"
        for condition in finding.witness.conditions:
            yield f"  `{visible(condition.text)}` is {visible(condition.value)}"
            yield f"     {at(condition.file, condition.line)}"
    yield "the way:"
    for number, step in enumerate(finding.path, 1):
        yield f"  {number}. {visible(step.note)}"
        yield f"     {at(step.file, step.line)}"
    for title, places in (("changed lines that cause it:", finding.cause), ("fixed by:", finding.fixed_by)):
        if places:
            yield title
            yield from (f"  {at(place.file, place.line)}" for place in places)
    if finding.removed:
        yield "removed lines that cause it:"
        for removed in finding.removed:
            source = explanation.removed.get((removed.file, removed.line), "")
            yield f"  {visible_path(removed.file)}:{removed.line}{f' | {visible(source)}' if source else ''}"
    for number, proof in enumerate(explanation.proofs, 1):
        which = "the proof" if number == 1 else f"the proof for another origin ({number} of {len(explanation.proofs)})"
        yield f"{which}, each line with what it rests on below it (-: a fact of the source):"
        yield from proof_text(proof)


def proof_text(proof: list[Line]) -> Iterator[str]:
    for line in proof:
        place = f" [{visible_path(line.file)}:{line.line}]" if line.file else ""
        again = " (as above)" if line.again else ""
        yield f"  {'  ' * min(line.depth, 20)}{'-' if line.is_fact else '*'} {visible(line.says)}{place}{again}"


def as_dict(explanation: Explanation) -> dict[str, Any]:
    from pliant.ci.reports.json import finding_as_dict

    return {
        "schema": "pliant-explanation/1",
        "finding": finding_as_dict(explanation.finding),
        "excerpts": [
            {"file": file, "line": line, "source": source} for (file, line), source in explanation.excerpts.items()
        ],
        "removed": [
            {"file": file, "line": line, "source": source} for (file, line), source in explanation.removed.items()
        ],
        "proofs": [[asdict(line) for line in proof] for proof in explanation.proofs],
    }
