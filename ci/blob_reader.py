"""Blobs in bulk from two long-lived `git cat-file`, one for sizes and one for contents.

What git says is checked: every answer is asked for, has the size that was told before, and has the digest that is its
id. Damage is an error of the clone, never a source that is shorter or another one. What is larger than was asked for is
not read. After each batch git is asked for something that is nowhere: its answer ends the batch, so that a header that
promises more than there is leaves nobody waiting.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pliant.ci.errors import UserError
from pliant.ci.git_process import answers, end, silent, start

_REQUESTS_IN_FLIGHT = 400  # ids of 64 digits that fit a pipe's 64 KiB buffer: writing them never blocks
_CHUNK = 1 << 18
_LONGEST_HEADER = 256


class BlobReader:
    """The blobs of one repository; `hash_name`: of its ids."""

    def __init__(self, git_dir: Path, folder: Path, hash_name: str):
        self._hash_name = hash_name
        command = [f"--git-dir={git_dir}", "cat-file"]
        self._sizes = _Conversation([*command, "--batch-check"], folder)
        self._contents = _Conversation([*command, "--batch"], folder)

    def read(self, oids: Iterable[str], most: int) -> Iterator[tuple[str, bytes | None]]:
        """The contents of blobs in the order asked for, None for one of more than `most` bytes. Raises UserError.

        To be read to its end before the next `read` begins.
        """
        wanted = list(oids)
        for begin in range(0, len(wanted), _REQUESTS_IN_FLIGHT):
            part = wanted[begin : begin + _REQUESTS_IN_FLIGHT]
            sizes = {oid: self._sizes.header(oid) for oid in self._sizes.asked(part)}
            known = {oid for oid in part if sizes[oid] <= most}
            contents = self._contents.asked([oid for oid in part if oid in known])
            for oid in part:
                yield oid, self._content(next(contents), sizes[oid]) if oid in known else None
            for _ in contents:
                pass

    def _content(self, oid: str, size: int) -> bytes:
        if self._contents.header(oid) != size:
            raise self._contents.damaged(oid)
        content = self._contents.take(oid, size + 1)
        found = hashlib.new(self._hash_name, b"blob %d\0" % size, usedforsecurity=False)
        found.update(memoryview(content)[:size])
        if content[size:] != b"\n" or found.hexdigest() != oid:
            raise self._contents.damaged(oid)
        return content[:size]

    def close(self) -> None:
        self._sizes.close()
        self._contents.close()


class _Conversation:
    """A `git cat-file` that is asked by id and answers with a header, and maybe a content, for each."""

    def __init__(self, arguments: list[str], folder: Path):
        self._arguments, self._folder = arguments, folder
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = bytearray()
        self._end = b""
        self._midway = False

    def asked(self, oids: list[str]) -> Iterator[str]:
        """Asks for all of them and gives each back when its answer is next."""
        if not oids:
            return
        if self._midway:  # nobody wanted the rest of the last answers
            self.close()
        if self._process is None:
            self._process = start(self._arguments, self._folder)
        nowhere = f"end.{secrets.token_hex(16)}"  # no content can tell it
        self._end = f"{nowhere} missing\n".encode()
        self._midway = True
        try:
            assert self._process.stdin is not None
            self._process.stdin.write("".join(f"{oid}\n" for oid in (*oids, nowhere)).encode("ascii"))
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self.damaged(oids[0]) from None
        yield from oids
        if self._line() != self._end:
            raise self.damaged(oids[-1])
        self._midway = False

    def header(self, oid: str) -> int:
        """The size of a blob, as the answer for it begins."""
        answered, *told = self._line().split() or [b""]
        if answered == oid.encode("ascii"):
            match told:
                case [b"blob", size] if size.isdigit() and len(size) < 20:
                    return int(size)
                case [b"missing"]:
                    self.close()
                    raise UserError(
                        f"object {oid} is not in this clone, which is partial or damaged: run "
                        "'git fetch --refetch --no-filter origin' for a full one, or 'git fsck' to see what is wrong"
                    )
                case [kind, size] if size.isdigit():
                    self.close()
                    what = kind.decode("ascii", "replace")
                    raise UserError(
                        f"object {oid} stands for a file and is a {what}: run 'git fsck' to see what is wrong"
                    )
        raise self.damaged(oid)

    def take(self, oid: str, length: int) -> bytes:
        if not self._has(lambda: len(self._buffer) >= length):
            raise self.damaged(oid)
        with memoryview(self._buffer) as whole:
            taken = bytes(whole[:length])
        del self._buffer[:length]
        return taken

    def _line(self) -> bytes:
        """The next line with its end; less where git has ended."""
        self._has(lambda: b"\n" in self._buffer[:_LONGEST_HEADER] or len(self._buffer) > _LONGEST_HEADER)
        line, found, _ = self._buffer[:_LONGEST_HEADER].partition(b"\n")
        del self._buffer[: len(line) + len(found)]
        return bytes(line + found)

    def _has(self, enough: Callable[[], bool]) -> bool:
        """Reads until there is enough; False where git has said all."""
        assert self._process is not None and self._process.stdout is not None
        while not enough():
            if self._buffer.endswith(self._end):
                return False
            if not answers(self._process.stdout):
                self.close()
                raise silent(self._arguments, self._folder)
            chunk = os.read(self._process.stdout.fileno(), _CHUNK)
            if not chunk:
                return False
            self._buffer += chunk
        return True

    def damaged(self, oid: str) -> UserError:
        """What to raise; the conversation is over."""
        self.close()
        return UserError(f"object {oid} of this clone is damaged: run 'git fsck' to see what is wrong")

    def close(self) -> None:
        process, self._process = self._process, None
        self._midway = False
        self._buffer.clear()
        if process is not None:
            end(process)


__all__ = ["BlobReader"]
