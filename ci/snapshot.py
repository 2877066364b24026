"""The source files of one commit (or work tree) with what is known of each, and how one commit's become another's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pliant.analyses.wording import shown_function
from pliant.ci.errors import UserError, visible_path
from pliant.ci.git import SUBMODULE, SYMLINK, Change, Entry
from pliant.ci.selection import Selection
from pliant.extractors.blobs import Source, Summary
from pliant.extractors.facts import Diagnostic, Suppression
from pliant.extractors.languages import LANGUAGES

# A folder of a tree object can be called anything; git itself writes none of these.
_OUTSIDE = re.compile(r"(?:^|/)(?:\.{0,2}|\.git)/", re.IGNORECASE)
_OID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_LINK = "a symbolic link"


def folders(path: str) -> Iterator[str]:
    """The folders that a path is in, the innermost first."""
    while path := path.rpartition("/")[0]:
        yield path


class Known(Protocol):
    def summaries(self, sources: Sequence[Source]) -> list[Summary]: ...


@dataclass(slots=True)
class Snapshot:
    """sources: by path. skipped: path -> why a file with a source file's name is not analysed.

    summaries: by path, complete once `summarize` was called. selection: which files are sources.
    """

    sources: dict[str, Source] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    summaries: dict[str, Summary] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)

    @classmethod
    def of(cls, entries: Iterable[Entry], selection: Selection | None = None) -> Snapshot:
        snapshot = cls(selection=selection or Selection())
        for entry in entries:
            snapshot._add(entry)
        return snapshot

    def changed(self, changes: Iterable[Change]) -> Snapshot:
        """The snapshot after `changes`; the summaries of files that did not change are kept."""
        result = Snapshot(dict(self.sources), dict(self.skipped), dict(self.summaries), self.selection)
        changes = list(changes)
        for change in changes:
            if change.old:
                for known in (result.sources, result.skipped, result.summaries):
                    known.pop(change.old.path, None)
        left = {folder for change in changes if change.old for folder in folders(change.old.path)}
        for change in changes:
            if change.new:
                result._add(change.new)
                if change.new.mode == SYMLINK and change.new.path in left:
                    result.skipped[change.new.path] = _LINK
        return result

    def summarize(self, known: Known) -> None:
        """Fills in the summaries that are missing, of files that were extracted."""
        missing = [source for path, source in self.sources.items() if path not in self.summaries]
        for source, summary in zip(missing, known.summaries(missing), strict=True):
            self.summaries[source.path] = summary

    def suppressions(self) -> dict[str, tuple[Suppression, ...]]:
        """The comments that silence findings, by file."""
        return {path: known.suppressions for path, known in self.summaries.items() if known.suppressions}

    def of_file(self, path: str) -> Sequence[Diagnostic]:
        """What was not analysed of a file; nothing, where there is none."""
        if path in self.skipped:
            return [Diagnostic(1, self.skipped[path])]
        return self.summaries[path].diagnostics if path in self.summaries else ()

    def is_read(self, path: str, function: str) -> bool:
        """Whether neither a file nor the function in it, as in the source, is left out as a whole."""
        return not any(
            each.scope == "file" or (each.scope == "function" and shown_function(each.function) == function)
            for each in self.of_file(path)
        )

    def _add(self, entry: Entry) -> None:
        if entry.path in self.sources or entry.path in self.skipped:
            raise UserError(
                f"a tree has {visible_path(entry.path)} twice, which is damage: run 'git fsck' to see where"
            )
        language = self.selection.language(entry.path)
        if entry.mode == SUBMODULE:
            self.skipped[entry.path] = "a submodule, which is a repository of its own"
        elif language is not None and _OUTSIDE.search(entry.path):
            self.skipped[entry.path] = "its name leads out of the tree"
        elif language is not None and not entry.is_file:
            self.skipped[entry.path] = _LINK
        elif language is not None:
            self.sources[entry.path] = Source(entry.path, entry.oid, language)

    # As JSON, for the state directory.

    def dump(self) -> dict[str, Any]:
        names: dict[str, int] = {}
        files = []
        for path, source in self.sources.items():
            known = self.summaries[path]
            library = [names.setdefault(name, len(names)) for name in known.library]
            remarks = [
                [each.line, each.reason, each.scope, each.function, each.last_line] for each in known.diagnostics
            ]
            silenced = [
                [item.line, item.covers, list(item.rules), item.reason, item.tool] for item in known.suppressions
            ]
            name, unmodelled = source.language.name, dict(known.unmodelled)
            files.append([path, source.oid, name, library, remarks, known.lines, unmodelled, silenced])
        return {"library": list(names), "files": files, "skipped": self.skipped}

    @classmethod
    def load(cls, dumped: Mapping[str, Any], selection: Selection) -> Snapshot:
        names = dumped["library"]
        snapshot = cls(skipped=dict(dumped["skipped"]), selection=selection)
        for path, oid, language, library, remarks, lines, unmodelled, silenced in dumped["files"]:
            if not _OID.fullmatch(oid):
                raise ValueError("a blob id is not one")
            snapshot.sources[path] = Source(path, oid, LANGUAGES[language])
            snapshot.summaries[path] = Summary(
                tuple(names[number] for number in library),
                tuple(Diagnostic(*remark) for remark in remarks),
                lines,
                unmodelled,
                tuple(
                    Suppression(line, covers, tuple(rules), reason, tool)
                    for line, covers, rules, reason, tool in silenced
                ),
            )
        return snapshot
