"""Where a server listens, and the token that its clients need. Nobody but this user can reach either."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pliant.ci.errors import UserError, read_bounded, reason, visible

_MOST_PATH: Final = 100  # bytes of a socket's path; systems take 104 or 108 with its end
_MOST_TOKEN: Final = 4096  # bytes
_LEAST_TOKEN: Final = 16  # characters


@dataclass(frozen=True, slots=True)
class Place:
    """location: as Arrow Flight writes it; of port 0 the system chooses one."""

    location: str
    token: str
    token_file: Path


@contextmanager
def place(listen: str | None, token_file: Path | None) -> Iterator[Place]:
    """listen: `unix:PATH` or `ADDRESS:PORT` of the loopback; None for a socket in a new folder. token_file: has the
    token, or is made; None for a new one. What was made is removed at the end. Raises UserError."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pliant-")))  # mode 700
        if listen is None:
            listen = f"unix:{folder / 'serve'}" if hasattr(socket, "AF_UNIX") else "127.0.0.1:0"
        if listen.startswith("unix:"):
            path = Path(listen.removeprefix("unix:")).absolute()
            location = f"grpc+unix://{_socket(path)}"
            stack.callback(path.unlink, missing_ok=True)
        else:
            location = f"grpc://{_loopback(listen)}"
        if token_file is None:
            token_file = folder / "token"
        yield Place(location, _token(token_file), token_file)


def _socket(path: Path) -> Path:
    if len(os.fsencode(path)) > _MOST_PATH:
        raise UserError(f"the socket's path is longer than {_MOST_PATH} bytes: {visible(str(path))}")
    if not path.parent.is_dir():
        raise UserError(f"the socket's folder is not there: {visible(str(path.parent))}")
    if os.path.lexists(path):
        if not path.is_socket():
            raise UserError(f"{visible(str(path))} is there already, and no socket")
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as other:
            try:
                other.connect(str(path))
            except OSError:
                path.unlink(missing_ok=True)  # of a server that was killed
            else:
                raise UserError(f"another server listens at {visible(str(path))}")
    return path


def _loopback(listen: str) -> str:
    host, colon, port = listen.rpartition(":")
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
        is_good = bool(colon) and address.is_loopback and port.isascii() and 0 <= int(port) < 1 << 16
    except ValueError:
        is_good = False
    if not is_good:
        raise UserError(
            f"--listen takes unix:PATH or a port of this machine alone, such as 127.0.0.1:8815; found {visible(listen)}"
        )
    return f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"


def _token(path: Path) -> str:
    try:
        text = read_bounded(path, _MOST_TOKEN).decode("ascii").strip()
    except FileNotFoundError:
        return _made(path)
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else "not ASCII"
        raise UserError(f"the token file {visible(str(path))} cannot be read: {why}") from None
    if len(text) < _LEAST_TOKEN or not text.isprintable() or " " in text:
        raise UserError(f"the token of {visible(str(path))} is no word of at least {_LEAST_TOKEN} characters")
    return text


def _made(path: Path) -> str:
    token = secrets.token_urlsafe(32)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{token}\n")
    except OSError as error:
        raise UserError(f"the token file {visible(str(path))} cannot be written: {reason(error)}") from None
    return token


__all__ = ["Place", "place"]
