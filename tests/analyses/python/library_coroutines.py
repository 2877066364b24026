"""A coroutine of the library: its call is no null, and what awaiting it gives may be."""

from __future__ import annotations

import asyncio


async def passed_ok(server: asyncio.Server):
    await asyncio.wait_for(server.wait_closed(), timeout=1)


def not_awaited_ok(server: asyncio.Server):
    return server.wait_closed().send(None)


async def awaited_bad(server: asyncio.Server):
    return (await server.wait_closed()).name  # null.attribute


async def awaited_by_another_bad(server: asyncio.Server):
    found = await asyncio.wait_for(server.wait_closed(), timeout=1)
    return found.name  # null.attribute


async def optional_bad(loop: asyncio.AbstractEventLoop, transport, protocol, context):
    found = await loop.start_tls(transport, protocol, context)
    return found.close()  # null.attribute


async def optional_ok(loop: asyncio.AbstractEventLoop, transport, protocol, context):
    found = await loop.start_tls(transport, protocol, context)
    if found is not None:
        found.close()
