"""A replica that rings reminders and does nothing else: the runner and its sender, over the settings of the process."""

from __future__ import annotations

import asyncio

from sayso.chat.turns.reminders import address_seal
from sayso.database.pool import Database
from sayso.reminders.runner import Runner
from sayso.reminders.sender import Sender
from sayso.settings import database_url, read_settings


async def main() -> None:
    settings = read_settings()
    sender = Sender(settings)
    database = Database(database_url(settings), connections=6)
    runner = Runner(database, sender, address_seal(settings), settings)
    await sender.ready()
    async with database, runner.running():
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
