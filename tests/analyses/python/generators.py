"""Generators and coroutines."""

import asyncio
import os


def names(flag):
    yield "a"
    if flag:
        return
    yield "b"


def generator_is_no_none_ok(flag):
    return list(names(flag)), names(flag).send(None)


def iterated_generator_ok(flag):
    for name in names(flag):
        print(name.upper())


def inside_bad():
    home = os.environ.get("HOME")
    yield home.upper()  # null.attribute


def inside_ok():
    home = os.environ.get("HOME")
    if home is None:
        return
    yield home.upper()


def delegated_bad(flag):
    source = None
    if flag:
        source = [1]
    yield from source  # null.iteration


def sent_ok():
    received = yield
    return received.upper()


def first_ok(flag):
    return next(names(flag)).upper()


def first_default_bad(flag):
    return next(names(flag), None).upper()  # null.attribute


def first_default_ok(flag):
    return next(names(flag), "a").upper()


async def fetch(name):
    if name:
        return name
    return None


async def fetch_sure(name):
    return name or "a"


async def awaited_bad(name):
    return (await fetch(name)).upper()  # null.attribute


async def awaited_ok(name):
    return (await fetch_sure(name)).upper()


async def awaited_checked_ok(name):
    found = await fetch(name)
    if found is None:
        return ""
    return found.upper()


async def awaited_later_bad(name):
    pending = fetch(name)
    found = await pending
    return found.upper()  # null.attribute


async def coroutine_is_no_none_ok(name):
    return fetch(name).close()


async def awaited_none_bad(flag):
    pending = None
    if flag:
        pending = fetch("a")
    return await pending  # null.await


async def gathered_ok(name):
    first, second = await asyncio.gather(fetch_sure(name), fetch_sure(name))
    return first.upper() + second.upper()


async def waited_for_bad(name):
    found = await asyncio.wait_for(fetch(name), 3)
    return found.upper()  # null.attribute


class Service:
    async def load(self, name):
        return os.environ.get(name)

    async def own_method_bad(self, name):
        return (await self.load(name)).upper()  # null.attribute


async def looped_ok(source):
    async for name in source:
        print(name.upper())


async def rows():
    yield "a"
    yield "b"


async def asynchronous_generator_ok():
    async for row in rows():
        print(row.upper())
