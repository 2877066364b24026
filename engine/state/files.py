"""Every file-system operation of a saved state: nothing is followed, nothing is overwritten, everything is flushed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a named pipe in a file's place does not block

_PIECE = 1 << 20


class Descriptor:
    """An open file or folder, closed with its last user. `size` in bytes."""

    __slots__ = ("__weakref__", "number", "size")

    def __init__(self, number: int):
        self.number = number
        self.size = os.fstat(number).st_size

    def __del__(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            os.close(self.number)

    @classmethod
    def of_folder(cls, path: Path) -> Descriptor:
        return cls(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    @classmethod
    def of_file(cls, folder: Descriptor, name: str) -> Descriptor:
        """A plain file in `folder`. Raises OSError for a link or a device, FileNotFoundError for nothing."""
        try:
            number = os.open(name, _READ, dir_fd=folder.number)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise OSError(errno.ELOOP, "a symbolic link stands in place of a file", name) from None
            raise
        opened = cls(number)
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "what stands in place of a file is none", name)
        return opened

    def read(self, limit: int) -> bytes:
        """All of a file. Raises OSError if it is longer than `limit`."""
        if self.size > limit:
            raise OSError(errno.EFBIG, f"a file of {self.size} bytes stands where at most {limit} are expected")
        parts: list[bytes] = []
        while part := os.pread(self.number, 1 << 20, sum(map(len, parts))):
            parts.append(part)
            if sum(map(len, parts)) > limit:
                raise OSError(errno.EFBIG, "a file grew while it was read")
        return b"".join(parts)


class Sink(io.RawIOBase):
    """A new file; it is there, and on the disk, once `finish` was called. Written in pieces of a megabyte.

    mode: who may read and write it, as far as the umask lets them.
    """

    def __init__(self, folder: Descriptor, name: str, mode: int = 0o600):
        super().__init__()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._number = os.open(name, flags, mode, dir_fd=folder.number)
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        self._waiting += view
        if len(self._waiting) >= _PIECE:
            self._write_out()
        return len(view)

    def _write_out(self) -> None:
        with memoryview(bytes(self._waiting)) as view:
            done = 0
            while done < len(view):
                done += os.write(self._number, view[done:])
        self._waiting.clear()

    def finish(self) -> None:
        self._write_out()
        os.fsync(self._number)
        self.close()

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._number)


def write(folder: Descriptor, name: str, content: bytes, mode: int = 0o600) -> None:
    """A new file with this content, on the disk when the call returns."""
    with Sink(folder, name, mode) as sink:
        sink.write(content)
        sink.finish()


def link(source: Descriptor, name: str, opened: Descriptor, folder: Descriptor, new: str) -> None:
    """Gives the file `opened`, which is `name` in `source`, the name `new` in `folder`. Raises OSError if another file
    has taken either name, or if the file system has no links."""
    with contextlib.suppress(FileExistsError):
        os.link(name, new, src_dir_fd=source.number, dst_dir_fd=folder.number, follow_symlinks=False)
    found = os.stat(new, dir_fd=folder.number, follow_symlinks=False)
    if not os.path.samestat(found, os.fstat(opened.number)):
        raise FileNotFoundError(errno.ENOENT, "another state has taken the place of the one that was opened", name)


def replace(folder: Descriptor, name: str, new: str) -> None:
    os.replace(name, new, src_dir_fd=folder.number, dst_dir_fd=folder.number)


def flush(folder: Descriptor) -> None:
    os.fsync(folder.number)


def names(folder: Descriptor) -> list[str]:
    return os.listdir(folder.number)  # noqa: PTH208 - a Path cannot be a descriptor


def remove(folder: Descriptor, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder.number)


@contextlib.contextmanager
def locked(folder: Descriptor) -> Iterator[bool]:
    """Holds the folder's advisory lock, which writers take and readers do not; whether the file system has locks.

    It goes with the process that holds it.
    """
    there = lock(folder)
    try:
        yield there
    finally:
        if there:
            fcntl.flock(folder.number, fcntl.LOCK_UN)


def lock(folder: Descriptor) -> bool:
    """Waits for the folder's advisory lock and takes it until the descriptor is closed; False where there are none."""
    try:
        fcntl.flock(folder.number, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def try_lock(folder: Descriptor) -> bool | None:
    """Takes the folder's advisory lock until the descriptor is closed; False if another holds it, None where there are
    no locks."""
    try:
        fcntl.flock(folder.number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
