"""Connections between the tasks of a barrier stage: each has one to every other, and swaps bytes with all at once.

Spark says on which hosts the tasks are; a task listens at the first free one of a few ports that follow from the secret
that the driver made for the job, and the others try these. (The barrier's own exchange, which could tell ports, takes a
second.) Whoever connects has to prove that it knows the secret, and so has whoever accepts; what is swapped is not
encrypted. Bytes are length-prefixed and are only ever read as data. A peer that goes ends the connection, and with it
the task; Spark ends those that wait for a task that has failed. A meeting that takes too long ends the process: a peer
that Spark does not start again (a partition that it has already) would never come.
"""

from __future__ import annotations

import hmac
import os
import selectors
import socket
import struct
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from ...errors import EngineError

MEETING_SECONDS: Final = 120.0  # for all tasks to start and to be connected
_REACH_SECONDS: Final = 60.0  # of these, until a task that nobody reaches is taken for one that nobody can
_HANDSHAKE_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.01  # between two rounds through the ports of a task that is not there yet
_PORTS: Final = range(16)  # to choose from, for a task
_LOWEST_PORT: Final = 20_000  # below those that systems give away themselves
_HIGHEST_PORT: Final = 32_000
_NONCE: Final = 16
_PROOF: Final = 32
_LENGTH: Final = struct.Struct("<Q")
_NUMBER: Final = struct.Struct("<I")
_PIECE: Final = 1 << 20


class Unreachable(EngineError):
    """Tasks cannot be connected with each other here."""


class Mesh:
    """`peers`: number -> a connection. `swap` is called by all the same number of times."""

    def __init__(self, number: int, peers: Mapping[int, socket.socket]):
        self.number, self.peers = number, dict(peers)
        self._sender = ThreadPoolExecutor(1)

    def swap(self, outgoing: Mapping[int, Sequence[Any]]) -> dict[int, memoryview]:
        """Send each peer its buffers, as one; what each peer sent. A thread sends while this one receives, so that no
        two wait for each other to read."""
        if not self.peers:
            return {}
        sent = self._sender.submit(self._send, outgoing)
        found = self._received()
        sent.result()
        return found

    def _send(self, outgoing: Mapping[int, Sequence[Any]]) -> None:
        ahead = sorted(self.peers, key=lambda peer: (peer < self.number, peer))  # not all to the same one first
        for peer in ahead:
            pieces = [memoryview(piece).cast("B") for piece in outgoing[peer]]
            self.peers[peer].sendall(_LENGTH.pack(sum(piece.nbytes for piece in pieces)))
            for piece in pieces:
                self.peers[peer].sendall(piece)

    def _received(self) -> dict[int, memoryview]:
        waiting = {peer: _Incoming() for peer in self.peers}
        found: dict[int, memoryview] = {}
        with selectors.DefaultSelector() as selector:
            for peer, connection in self.peers.items():
                selector.register(connection, selectors.EVENT_READ, peer)
            while waiting:
                for key, _ in selector.select():
                    if waiting[key.data].read(self.peers[key.data]):
                        found[key.data] = waiting.pop(key.data).whole
                        selector.unregister(key.fileobj)
        return found

    def close(self) -> None:
        self._sender.shutdown(wait=False)
        for connection in self.peers.values():
            connection.close()


class _Incoming:
    """Bytes that are coming in: their number, then they themselves."""

    def __init__(self) -> None:
        self._head, self._at = bytearray(), 0
        self._body: bytearray | None = None

    @property
    def whole(self) -> memoryview:
        return memoryview(self._body or b"")

    def read(self, connection: socket.socket) -> bool:
        """Take what is there; whether that is all."""
        if self._body is None:
            piece = connection.recv(_LENGTH.size - len(self._head))
            self._head += piece
            if len(self._head) == _LENGTH.size:
                self._body = bytearray(_LENGTH.unpack(self._head)[0])
            many = len(piece)
        else:
            many = connection.recv_into(memoryview(self._body)[self._at : self._at + _PIECE])
            self._at += many
        if not many:
            raise EngineError("a task of the same job is gone")
        return self._body is not None and self._at == len(self._body)


def meet(context: Any, secret: bytes) -> Mesh:
    """Connect the tasks of a barrier stage. `context`: Spark's BarrierTaskContext. Raises Unreachable."""
    number = context.partitionId()
    started = time.monotonic()
    watch = threading.Timer(MEETING_SECONDS, os._exit, (1,))
    watch.daemon = True
    watch.start()
    try:
        hosts = [info.address.rpartition(":")[0].strip("[]") for info in context.getTaskInfos()]
        addresses = [(host, ports(secret, peer)) for peer, host in enumerate(hosts)]
        with listening(*addresses[number]) as server:
            return Mesh(number, connected(number, server, addresses, secret, started + _REACH_SECONDS))
    finally:
        watch.cancel()


Address = tuple[str, Sequence[int]]  # a host, and the ports at one of which a task listens


def ports(secret: bytes, number: int) -> list[int]:
    """Those of a task, in the order in which it tries them."""
    drawn = (hmac.digest(secret, b"port" + _NUMBER.pack(number) + _NUMBER.pack(turn), "sha256") for turn in _PORTS)
    return [_LOWEST_PORT + int.from_bytes(each[:4], "big") % (_HIGHEST_PORT - _LOWEST_PORT) for each in drawn]


def listening(host: str, ports: Sequence[int]) -> socket.socket:
    """Raises Unreachable."""
    problem: OSError | None = None
    for port in ports:
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, port), family=family, backlog=1024)
        except OSError as error:
            problem = error
    raise Unreachable(f"tasks cannot be connected: no port can be opened on {host}: {_said(problem)}")


def connected(
    number: int, server: socket.socket, addresses: Sequence[Address], secret: bytes, deadline: float
) -> dict[int, socket.socket]:
    """A connection to each other task: to those of lower numbers one is made, from those of higher ones it is taken."""
    peers = {peer: _reached(number, peer, addresses[peer], secret, deadline) for peer in range(number)}
    while len(peers) < len(addresses) - 1:
        server.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            taken, _ = server.accept()
        except TimeoutError:
            raise Unreachable("tasks cannot be connected: not all of the job came in time") from None
        known = _accepted(number, taken, secret)
        if known is None or not number < known < len(addresses) or known in peers:
            taken.close()  # a stranger
        else:
            peers[known] = taken
    for connection in peers.values():
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return peers


def _reached(number: int, peer: int, address: Address, secret: bytes, deadline: float) -> socket.socket:
    """A connection to another task, once it listens."""
    problem: OSError | None = None
    host, its_ports = address
    while time.monotonic() < deadline:
        for port in its_ports:
            try:
                made = socket.create_connection((host, port), timeout=_HANDSHAKE_SECONDS)
            except OSError as error:
                problem = error
                continue
            if _known(made, number, peer, secret):
                return made
            made.close()  # somebody else listens there
        time.sleep(_PAUSE_SECONDS)
    raise Unreachable(f"tasks cannot be connected: nobody is reached on {host}: {_said(problem)}")


def _said(problem: OSError | None) -> str:
    return "none of its ports is a task's" if problem is None else problem.strerror or str(problem)


def _known(made: socket.socket, number: int, peer: int, secret: bytes) -> bool:
    """Whether who listens is that task of this job."""
    try:
        nonce = os.urandom(_NONCE)
        theirs = _exactly(made, _NONCE)
        made.sendall(_NUMBER.pack(number) + nonce + _proof(secret, b"connects", theirs, number, peer))
        return hmac.compare_digest(_exactly(made, _PROOF), _proof(secret, b"accepts", nonce, peer, number))
    except (OSError, EngineError):
        return False


def _accepted(number: int, taken: socket.socket, secret: bytes) -> int | None:
    """Whose connection it is, if it is one of this job."""
    try:
        taken.settimeout(_HANDSHAKE_SECONDS)
        nonce = os.urandom(_NONCE)
        taken.sendall(nonce)
        told = _exactly(taken, _NUMBER.size + _NONCE + _PROOF)
        peer = int(_NUMBER.unpack(told[: _NUMBER.size])[0])
        theirs, proof = told[_NUMBER.size : -_PROOF], told[-_PROOF:]
        if not hmac.compare_digest(proof, _proof(secret, b"connects", nonce, peer, number)):
            return None
        taken.sendall(_proof(secret, b"accepts", theirs, number, peer))
        return peer
    except (OSError, EngineError):
        return None


def _proof(secret: bytes, way: bytes, nonce: bytes, prover: int, other: int) -> bytes:
    return hmac.digest(secret, way + nonce + _NUMBER.pack(prover) + _NUMBER.pack(other), "sha256")


def _exactly(connection: socket.socket, many: int) -> bytes:
    found = b""
    while len(found) < many:
        piece = connection.recv(many - len(found))
        if not piece:
            raise EngineError("a task of the same job is gone")
        found += piece
    return found


__all__ = ["Mesh", "Unreachable", "connected", "listening", "meet", "ports"]
