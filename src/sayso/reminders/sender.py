"""Sends messages through a separate process, see `sender_process`. The process starts with the first message, and again
if it has ended."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Any

import msgspec

from sayso.reminders.values import Config, Job, Kind, Sent
from sayso.settings import Settings

PATIENCE = 20.0  # seconds for a message
START = 60.0  # seconds for the process to start
_LIMIT = 1 << 20
_KEPT = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "SYSTEMROOT", "LANG", "LC_ALL", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")


class Sender:
    """The sending process, and the jobs that wait for it."""

    def __init__(self, settings: Settings) -> None:
        key = settings.push_key
        self._config = Config(
            networks=settings.reminder_networks,
            push_key=key.get_secret_value() if key else None,
            push_contact=settings.push_contact,
        )
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Sent]] = {}
        self._starting = asyncio.Lock()
        self._number = 0

    async def send(self, kind: Kind, target: Any, *, title: str, body: str, payload: str = "", topic: str = "") -> Sent:
        """Send a message and return the result. Without a title, only check the address."""
        self._number += 1
        number, waits = self._number, asyncio.get_running_loop().create_future()
        self._waiting[number] = waits
        job = Job(number, kind, target, title, body, payload, topic)
        try:
            process = await self.ready()
            if process.stdin is None:
                raise AssertionError("the process has a pipe")
            async with asyncio.timeout(PATIENCE):
                process.stdin.write(msgspec.json.encode(job) + b"\n")
                await process.stdin.drain()
                sent: Sent = await waits
                return sent
        except (OSError, TimeoutError) as problem:
            return Sent(number, "failed", type(problem).__name__)
        finally:
            self._waiting.pop(number, None)

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    async def ready(self) -> asyncio.subprocess.Process:
        """Start the process if necessary, and wait until it has loaded its libraries."""
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return self._process
            await self.close()
            environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sayso.reminders.sender_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={**environment, "HOME": os.devnull},
                limit=_LIMIT,
            )
            self._process = process
            if process.stdin is None or process.stdout is None:
                raise AssertionError("the process has pipes")
            process.stdin.write(msgspec.json.encode(self._config) + b"\n")
            async with asyncio.timeout(START):
                await process.stdout.readline()
            self._reading = asyncio.create_task(self._read(process))
            return process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        if process.stdout is None:
            raise AssertionError("the process has a pipe")
        async for line in process.stdout:
            sent = msgspec.json.decode(line, type=Sent)
            waits = self._waiting.get(sent.id)
            if waits is not None and not waits.done():
                waits.set_result(sent)
        await process.wait()
        for number, waits in list(self._waiting.items()):  # it has ended, and may not have sent these
            if not waits.done():
                waits.set_result(Sent(number, "failed", "sender_ended"))
