"""The seal on what is kept between runs: who reads it back can tell that it was written by one who has the key.

A digest says that a file is whole, not who made it: a forged state or fact pack with digests of its own could hide
findings. The key is `PLIANT_STATE_KEY`, where several machines share what they keep, else a secret of this user on this
machine, made when it is first needed and kept apart from every cache. A cache that comes from elsewhere is
so never believed without its key.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PLIANT_STATE_KEY"
LEAST = 16  # characters of a key that is given
_BYTES = 32


class NoKey(Exception):
    """Why there is no key: what was found where."""


@dataclass(frozen=True, slots=True, repr=False)
class Seal:
    """A key, and what is done with it."""

    key: bytes

    def of(self, *parts: str | bytes) -> str:
        """A message authentication code (HMAC-SHA-256) of parts, each of them counted apart."""
        code = hmac.new(self.key, digestmod=hashlib.sha256)
        for part in parts:
            content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
            code.update(len(content).to_bytes(8, "little") + content)
        return code.hexdigest()

    def fits(self, given: object, *parts: str | bytes) -> bool:
        return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, self.of(*parts))


def shared_or_own(environment: Mapping[str, str] | None = None) -> Seal:
    """The seal of what may be shared: by the key in the environment, else by this machine's. Raises NoKey."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "")
    if not given:
        return own()
    if len(given) < LEAST:
        raise NoKey(f"{VARIABLE} has {len(given)} characters: give at least {LEAST}, at random")
    return Seal(hashlib.sha256(given.encode("utf-8", "surrogateescape")).digest())


def own() -> Seal:
    """The seal of this user on this machine. Raises NoKey."""
    path = _place()
    try:
        with contextlib.suppress(FileExistsError):
            if not os.path.lexists(path):
                _make(path)
        return Seal(_read(path))
    except OSError as error:
        raise NoKey(f"{path} cannot be made or read: {error.strerror}; {VARIABLE} can give a key instead") from None


def _place() -> Path:
    configured = os.environ.get("XDG_STATE_HOME", "")
    if configured.startswith("/"):
        return Path(configured) / "pliant" / "key"
    try:
        return Path.home() / ".local" / "state" / "pliant" / "key"
    except RuntimeError:
        raise NoKey(f"there is no home folder for a key; {VARIABLE} can give one instead") from None


def _make(path: Path) -> None:
    """Whole or not at all: another process may be at it, too."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(_BYTES))
        os.link(temporary, path)
    finally:
        temporary.unlink()


def _read(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)  # a named pipe is no key
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if status.st_uid != os.geteuid() or not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
            raise NoKey(f"{path} is not a file of yours alone: remove it, or 'chmod 600' it")
        key = stream.read(_BYTES + 1)
    if len(key) != _BYTES:
        raise NoKey(f"{path} is no key: remove it")
    return key
