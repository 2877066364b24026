"""The analyses in order: their programs, and what a row of each output relation means to a reader."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pliant.analyses.user_rules import FindingKind, user_kinds
from pliant.engine import Bound, Program
from pliant.extractors import schema
from pliant.extractors.repository import own_cache


@dataclass(frozen=True, slots=True)
class Analysis:
    """name: also of its file, `name.dl`. opt_in: the rules that it tells, if it runs only where one is switched on."""

    name: str
    findings: tuple[FindingKind, ...] = ()
    opt_in: tuple[str, ...] = ()


ANALYSES: tuple[Analysis, ...] = (
    Analysis("points_to"),
    Analysis("null_flow", (FindingKind("null_dereference"),)),
    Analysis(
        "boxed_null",
        (
            FindingKind(
                "boxed_null",
                "null.interface",
                "a nil pointer is returned as an interface here, which is not nil: it holds the pointer's type",
                "the pointer is nil here",
            ),
        ),
    ),
    Analysis("passed_up"),
    Analysis("templates"),
    Analysis("heap_null"),
    Analysis("removed_tests"),
    Analysis("suspicion"),
    Analysis("objects"),
    Analysis(
        "alias",
        (
            FindingKind(
                "mutable_default",
                "alias.mutable-default",
                "a default value is changed here; it is made once and shared by all calls that leave the argument out",
                "the default value is made here, when the function is defined",
            ),
            FindingKind(
                "class_attribute_shared",
                "alias.class-attribute",
                "an object of the class body is changed through an instance here; all instances share it",
                "it is made here, once for the class",
            ),
            FindingKind(
                "exposed_internal",
                "alias.exposed-internal",
                "the container changed here is the object's own, not a copy",
                "this call hands out the object's own container",
            ),
            FindingKind(
                "shared_constant",
                "alias.shared-constant",
                "the object changed here can be a module-level constant that a caller passes",
                "the constant is made here",
            ),
            FindingKind(
                "shared_internal",
                "alias.shared-internal",
                "the container changed here is shared with an object that was made from it",
                "this call hands over the container itself, not a copy",
            ),
            FindingKind(
                "stored_argument",
                "alias.stored-argument",
                "the container changed here is shared: two objects keep the one that they were given",
                "the container is made here",
            ),
        ),
    ),
    Analysis(
        "rounds",
        (
            FindingKind(
                "repeated_element",
                "alias.repeated-element",
                "one element is changed here, but the list repeats a single object, so all of them change",
                "repetition makes a list of references to the same object",
            ),
            FindingKind(
                "repeated_put",
                "alias.repeated-element",
                "one element is changed here, but each round of a loop adds the same object, so all of them change",
                "each round adds the object that was made before the loop",
            ),
            FindingKind(
                "invalidated",
                "alias.invalidated-iterator",
                "a container is changed here while a loop goes over it, which invalidates the loop's iterator",
                "this loop goes over the container",
            ),
        ),
    ),
    Analysis(
        "lifetimes",
        (
            FindingKind(
                "use_after_free",
                "alias.use-after-free",
                "the object used here was freed before",
                "this call frees it",
            ),
            FindingKind(
                "stale_after_realloc",
                "alias.stale-pointer",
                "the pointer used here leads into the old place of a block that may have been moved",
                "this call may move the block",
            ),
            FindingKind(
                "double_free",
                "alias.double-free",
                "the object freed here was freed before",
                "this call frees it first",
            ),
            FindingKind(
                "overlap",
                "alias.overlap",
                "source and target of this call lie in one object and may overlap",
                "the object is this one",
            ),
            FindingKind(
                "restrict_alias",
                "alias.restrict",
                "one object is passed for two parameters that are declared `restrict`",
                "the function promises that they do not overlap",
            ),
            FindingKind(
                "stack_escape",
                "alias.stack-escape",
                "the address of a local variable is kept here after its function has ended",
                "the variable ends with its function",
            ),
        ),
    ),
    Analysis("free_null", (FindingKind("freed_null"),), opt_in=("null.free",)),
    Analysis(
        "unread_results",
        (
            FindingKind(
                "result_stored",
                "result.unchecked",
                "what this call gives is stored in a variable, and never read",
            ),
            FindingKind(
                "result_dropped",
                "result.unchecked",
                "what this call gives is dropped: whether it has failed, or all that it is called for",
            ),
            FindingKind(
                "result_ignored",
                "result.unchecked",
                "what this call gives is dropped",
                "the function does nothing but give it, or most of its calls read it",
            ),
            FindingKind(
                "output_unchecked",
                "result.output",
                "whether this output has failed is dropped",
            ),
        ),
        opt_in=("result.unchecked", "result.output"),
    ),
    Analysis(
        "allocations",
        (
            FindingKind(
                "allocation_excessive",
                "allocation.excessive",
                "this call asks for more memory than it can be expected to get",
            ),
        ),
        opt_in=("allocation.excessive",),
    ),
    Analysis(
        "unclosed",
        (
            FindingKind(
                "unclosed",
                "resource.unclosed",
                "the function is left here, and what it has opened is not closed",
                "it is opened here",
            ),
        ),
        opt_in=("resource.unclosed",),
    ),
)


# A bound on cost. Of the repositories that were tried, one takes nearly all of it (docs/analyses.md), the others about
# half at most.
BOUND = Bound(rows=50_000_000, rows_of_fact=4_000)
OPT_IN: frozenset[str] = frozenset(rule for analysis in ANALYSES for rule in analysis.opt_in)
Rules = frozenset[str]  # of those in OPT_IN, what is switched on


def _kinds(on: Collection[str] = ()) -> dict[str, FindingKind]:
    return {kind.relation: kind for analysis in _chosen(on) for kind in analysis.findings}


def _chosen(on: Collection[str]) -> list[Analysis]:
    return [analysis for analysis in ANALYSES if not analysis.opt_in or not {*analysis.opt_in}.isdisjoint(on)]


KINDS: dict[str, FindingKind] = _kinds()


Files = tuple[tuple[str, str], ...]  # (name, text) of a user's own programs


def sources(user: Files = (), on: Rules = frozenset()) -> dict[str, str]:
    """The text of every program, by file name; the fact schema's declarations come first, a user's own last."""
    folder = resources.files(__package__)
    texts = {"schema.dl": schema.declarations()}
    for analysis in _chosen(on):
        texts[f"{analysis.name}.dl"] = folder.joinpath(f"{analysis.name}.dl").read_text(encoding="utf-8")
    return texts | dict(user)


@cache
def program(user: Files = (), on: Rules = frozenset()) -> Program:
    """The analyses as one program, with those of the rules that are switched on. What was compiled is kept in the
    user's cache.

    Raises DatalogError, and UserRuleError where a user's program is not of the shape that rules have.
    """
    folder = own_cache()
    name = "program-user.json" if user or on else "program.json"
    found = Program.parse(sources(user, on), cache=folder / name if folder else None)
    found.bound = BOUND
    if user or on:
        _OTHER_KINDS[found.hash] = _kinds(on) | user_kinds(user, found)
    return found


_OTHER_KINDS: dict[str, dict[str, FindingKind]] = {}


def kinds_of(program: Program) -> dict[str, FindingKind]:
    """The output relations of a program whose rows are findings."""
    return _OTHER_KINDS.get(program.hash, KINDS)
