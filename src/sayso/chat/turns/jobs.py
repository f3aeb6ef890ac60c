"""Background jobs that finish turns which waited for a model when their process ended.

A job is stored before the turn begins to wait, and scheduled for the end of its lease. Any replica can run it. If the
turn was finished in time, the job does nothing. Jobs of a worker that died are run again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition

from sayso.database.deadlines import ANSWER, DeadlineConnection, network_parameters, statement_limits
from sayso.database.pool import Unavailable
from sayso.identity.principal import Principal

if TYPE_CHECKING:
    from sayso.chat.turns.service import ChatService

QUEUE = "turns"
_OPTIONS = "-c role=sayso_app -c search_path=sayso_jobs"
_HEARTBEAT = 2.0
_DEAD = 8.0  # seconds without a heartbeat
_AGAIN = 1.0  # seconds until the worker starts again

_log = logging.getLogger(__name__)


class NotYet(Exception):
    """The turn of a job still has its lease."""


class Jobs:
    """Stores jobs, and runs those of any replica."""

    def __init__(self, url: str) -> None:
        connector = PsycopgConnector(
            conninfo=url,
            connection_class=DeadlineConnection,
            kwargs={"options": f"{_OPTIONS} {statement_limits(ANSWER)}", **network_parameters(url)},
            min_size=1,
            max_size=3,
            timeout=ANSWER,
        )
        self._app = App(connector=connector)
        self._service: ChatService | None = None
        retry = RetryStrategy(max_attempts=10, wait=2)
        self._recover = self._app.task(name="recover_turn", queue=QUEUE, retry=retry)(self._recover_turn)
        stalled = self._app.task(name="retry_stalled", queue=QUEUE, queueing_lock="retry_stalled")(self._retry_stalled)
        self._app.periodic(cron="* * * * * */10")(stalled)

    async def recover(self, user_id: str, conversation: UUID, number: int, at: datetime) -> None:
        """Schedule a job that finishes this turn at that time, if it still waits."""
        later = self._recover.configure(schedule_at=at)
        try:
            await later.defer_async(user_id=user_id, conversation=str(conversation), number=number)
        except ConnectorException as problem:
            raise Unavailable(str(problem)) from problem

    @asynccontextmanager
    async def working(self, service: ChatService) -> AsyncIterator[None]:
        """Run jobs while the context is open."""
        self._service = service
        async with self._app.open_async():
            worker = asyncio.create_task(self._work())
            try:
                yield
            finally:
                worker.cancel()
                with suppress(asyncio.CancelledError):
                    await worker

    async def _work(self) -> None:
        """Run jobs. Start again after a failure of the database."""
        while True:
            try:
                await self._app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=2,
                    install_signal_handlers=False,
                    delete_jobs=DeleteJobCondition.ALWAYS,
                    fetch_job_polling_interval=2.0,
                    update_heartbeat_interval=_HEARTBEAT,
                    stalled_worker_timeout=_DEAD,
                    shutdown_graceful_timeout=5.0,
                )
            except (ConnectorException, psycopg.Error, OSError) as problem:
                _log.warning("jobs are paused, because the database does not answer: %s", type(problem).__name__)
            await asyncio.sleep(_AGAIN)

    async def _recover_turn(self, user_id: str, conversation: str, number: int) -> None:
        if self._service is None:
            raise AssertionError("a worker has a service")
        if not await self._service.recover(Principal(id=user_id), UUID(conversation), number):
            raise NotYet(f"turn {number} of {conversation} still has its lease")  # clocks differ; the job is retried

    async def _retry_stalled(self, timestamp: int) -> None:  # noqa: ARG002  procrastinate passes the time
        for job in await self._app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=_DEAD):
            await self._app.job_manager.retry_job(job)
