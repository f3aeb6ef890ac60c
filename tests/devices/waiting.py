"""Waiting for what comes to be in its own time."""

from __future__ import annotations

import asyncio


async def until(condition, seconds=10):
    """Wait until it is so."""
    for _ in range(int(seconds * 50)):
        found = condition()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to be")
