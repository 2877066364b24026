"""Shards that go through steps together, pause anywhere, and go on as others made of their rows: equal to Bootstrap."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random as Random_
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from network import Network, Sharded
from programs import batch, examples, fresh
from test_maintenance import History, changed, histories
from test_pipelined import check

from pliant.engine import EngineError, Program
from pliant.engine.backends.spark.mesh import Mesh, Unreachable, connected, listening, ports
from pliant.engine.strategies.pipelined.conductor import SMALL_LEVELS, STRATEGIES
from pliant.engine.strategies.pipelined.messages import Message
from pliant.engine.strategies.pipelined.report import Report
from pliant.engine.strategies.pipelined.shard import Shard
from pliant.engine.strategies.pipelined.steps import Step
from pliant.engine.strategies.pipelined.together import Member, Paused, Replay, Told


class Room:
    """Where the threads of a job meet."""

    def __init__(self, shards: int):
        self.barrier = threading.Barrier(shards, timeout=60)
        self.told: dict[int, Told] = {}
        self.sent: dict[int, Sequence[Message]] = {}


class Seat:
    def __init__(self, room: Room, number: int):
        self.room, self.number = room, number

    def meet(self, told: Told, messages: Sequence[Message]) -> tuple[list[Told], list[Message]]:
        room = self.room
        room.told[self.number], room.sent[self.number] = told, messages
        room.barrier.wait()
        found = [room.told[each] for each in sorted(room.told)]
        came = [each for some in room.sent.values() for each in some if each.target == self.number]
        room.barrier.wait()
        return found, came


class Together(Network):
    """A transport whose steps are done by threads, many in a job; before a job the shards are made again."""

    replay = Replay([], 1)
    chance = Random_(0)
    paused = 0

    def open(self, conductor: Any, method: str, arguments: tuple[Any, ...]) -> None:
        waiting = len(self.under_way)
        self.epoch, self.past, self.replay = (conductor.bare(), method, arguments, waiting), [], Replay([], waiting)

    @property
    def waiting(self) -> int:
        return self.replay.waiting

    def step(self, step: Step) -> list[Report]:
        if not self.replay.past:
            self.shards = [self._made_again(shard) for shard in self.shards]
            room = Room(len(self.shards))
            with ThreadPoolExecutor(len(self.shards)) as pool:
                members = list(pool.map(lambda shard: self._run(shard, room), self.shards))
            self.under_way = [message for member in members for message in member.inbox]
            done = zip(*(member.done for member in members), strict=True)
            self.replay = Replay([list(told) for told in done], self.waiting)
            self.paused += bool(self.past)
        self.past.append(self.replay.past[0])
        return self.replay.next()

    def _run(self, shard: Shard, room: Room) -> Member:
        conductor, method, arguments, waiting = self.epoch
        chance = Random_(f"{self.chance.random()}{shard.number}")
        inbox = [message for message in self.under_way if message.target == shard.number]
        member = Member(shard, Seat(room, shard.number), inbox, self.past, waiting, lambda: chance.random() < 0.2)
        mine = conductor.bare()
        mine.program, mine.transport = shard.program, member
        with suppress(Paused):
            getattr(mine, method)(*arguments)
        return member

    def remember(self, names: frozenset[str]) -> Callable[[bool], None]:
        def end(back: bool) -> None:
            self.replay.waiting = 0 if back else self.replay.waiting

        return end


class Pausing(Sharded):
    def conduct(self, method: str, *arguments: Any) -> None:
        self.transport.open(self.conductor, method, arguments)  # type: ignore[attr-defined]
        super().conduct(method, *arguments)


def test_shards_that_pause_equal_bootstrap() -> None:
    paused = 0
    ways = st.tuples(st.sampled_from([SMALL_LEVELS, 1, 0]), st.sampled_from(STRATEGIES), st.sampled_from([0.0, 0.2]))

    @settings(max_examples=examples(10))
    @given(histories(), st.integers(1, 3), ways)
    def run(history: History, shards: int, way: tuple[int, str, float]) -> None:
        nonlocal paused
        random, now, epochs = history
        climb, strategy, switch = way
        found = Pausing(Program.parse({"program.dl": random.text}), batch(now), shards, None, True, climb, Together)
        check(found, fresh(random.text, now))
        for insert, delete in epochs:
            found.update(batch(insert), batch(delete), strategy, switch)
            now = changed(now, insert, delete)
            check(found, fresh(random.text, now))
        paused += found.transport.paused  # type: ignore[attr-defined]

    run()
    assert paused


def meshes(secrets: Sequence[bytes], seconds: float = 60, late: float = 0) -> list[Any]:
    """What each of some tasks has of its connections, or the error that it ended in. `late`: the first is, so much."""
    addresses = [("127.0.0.1", ports(b"where", number)) for number in range(len(secrets))]

    def one(number: int) -> Any:
        time.sleep(0 if number else late)
        try:
            with listening(*addresses[number]) as server:
                return Mesh(number, connected(number, server, addresses, secrets[number], time.monotonic() + seconds))
        except EngineError as error:
            return error

    with ThreadPoolExecutor(len(secrets)) as pool:
        made = [pool.submit(one, number) for number in range(len(secrets))]
        return [each.result() for each in made]


def test_tasks_swap_more_than_a_socket_holds_and_see_when_one_goes() -> None:
    tasks = meshes([b"secret"] * 3)
    large = bytes(range(256)) * 20_000

    def swap(mesh: Mesh) -> dict[int, bytes]:
        for _ in range(2):
            sent = {peer: [f"{mesh.number} to {peer}".encode(), large] for peer in mesh.peers}
            found = {peer: bytes(piece) for peer, piece in mesh.swap(sent).items()}
        return found

    with ThreadPoolExecutor(3) as pool:
        for number, found in enumerate(pool.map(swap, tasks)):
            assert found == {peer: f"{peer} to {number}".encode() + large for peer in range(3) if peer != number}
    tasks[2].close()
    with pytest.raises((EngineError, OSError)):
        tasks[0].swap({1: [b""], 2: [b""]})


def test_who_does_not_know_the_secret_is_no_task() -> None:
    first, second = meshes([b"secret", b"other"], seconds=1)
    assert isinstance(first, Unreachable)
    assert isinstance(second, Unreachable)


def test_a_task_that_comes_late_and_finds_a_port_taken_is_found() -> None:
    with socket.create_server(("127.0.0.1", ports(b"where", 0)[0])) as stranger:

        def hang_up() -> None:
            with suppress(OSError):  # until it is closed
                while True:
                    stranger.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        first, second = meshes([b"secret"] * 2, late=0.2)
    assert isinstance(first, Mesh) and isinstance(second, Mesh)
    first.close()
    second.close()


def test_a_task_without_a_free_port_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(Unreachable, match="no port can be opened"):
        listening("127.0.0.1", [taken.getsockname()[1]])
