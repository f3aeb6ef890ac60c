"""Runs the chat service in one process, or in several that share a socket."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from datetime import timedelta
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from sayso.agent.claims import is_supported, load_claims
from sayso.agent.configured import agent_from
from sayso.agent.values import ToolShape
from sayso.assistant.converse import Assistant
from sayso.assistant.several import Several
from sayso.chat.app import make_app
from sayso.chat.guards.limits import check_limits
from sayso.chat.signin.oidc import check_provider
from sayso.chat.telemetry.logs import configure_logs
from sayso.chat.turns.jobs import Jobs
from sayso.chat.turns.machines import Machines
from sayso.chat.turns.model import ModelTier
from sayso.chat.turns.reminders import address_seal, push_key
from sayso.chat.turns.service import ChatService
from sayso.composition import thresholds
from sayso.database.pool import Database, database_from
from sayso.decider import Decider
from sayso.errors import MissingExtra
from sayso.identity.trust import trusted_tokens
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.reminders.runner import Runner
from sayso.reminders.sender import Sender
from sayso.serving.connection import Bounded
from sayso.serving.metrics import SHARED_FOLDER, Metrics
from sayso.settings import Settings, database_url, read_settings
from sayso.tasks.definitions import tools
from sayso.tasks.hands import UNDO_DAYS
from sayso.tasks.service import TOOLS

# More get a 503, so that idle connections cannot use up the memory. Open pages may use three quarters of these.
MOST_CONNECTIONS = 2000
FOR_MACHINES = timedelta(minutes=2)  # lifetime of a card about a machine, whose state changes quickly
SHUTDOWN_TIMEOUT = 30  # seconds for running turns when the process stops


def app() -> FastAPI:
    """The app for the settings of this process. Each worker creates its own."""
    settings = read_settings()
    configure_logs()
    made = make_app(lambda metrics: open_service(settings, metrics), settings, tools=TOOLS)
    _before_goodbye(made.state.watch.end)
    return made


def _before_goodbye(do: Callable[[], None]) -> None:
    """Call `do` when the process gets a stop signal, before the server waits for its connections to close."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        server = signal.getsignal(number)

        def told(given: int, frame: FrameType | None, server: Any = server) -> None:
            do()
            if callable(server):
                server(given, frame)

        signal.signal(number, told)


@asynccontextmanager
async def open_service(settings: Settings, metrics: Metrics) -> AsyncIterator[ChatService]:
    """The service with its own connection pool, ready to decide; with a model if the settings name one."""
    decider = Decider.installed(thresholds=thresholds())
    decider.warm()
    assistant = Assistant(decider, load_answers(pack_folder("tasks")), undo_days=UNDO_DAYS)
    url = database_url(settings)
    async with database_from(settings, url, metrics) as database, AsyncExitStack() as stack:
        machines = None
        if settings.mqtt_url is not None:
            machines = await stack.enter_async_context(_machines(settings, database, decider))
            assistant = Several(assistant, machines.assistant)
        agent = agent_from(settings)
        if agent is None:
            service = ChatService(database, assistant, zone=settings.timezone, machines=machines)
            await stack.enter_async_context(_ringing(settings, database, service))
            yield service
            return
        stack.push_async_callback(agent.close)
        jobs = Jobs(settings.jobs_database_url or url)  # LISTEN needs a separate connection
        claims = load_claims(pack_folder("tasks"), *([pack_folder("devices")] if machines else []))
        tier = ModelTier(
            agent,
            [
                ToolShape(tool.name, tool.description or "", tool.input_schema)
                for tool in (*tools(), *(machines.definitions() if machines else ()))
            ],
            deadline=settings.model_deadline,
            claims=lambda text, _lang, deeds: is_supported(text, claims, deeds),
            came=metrics.model,
        )
        service = ChatService(database, assistant, zone=settings.timezone, model=tier, later=jobs, machines=machines)
        await stack.enter_async_context(jobs.working(service))
        await stack.enter_async_context(_ringing(settings, database, service))
        yield service


@asynccontextmanager
async def _ringing(settings: Settings, database: Database, service: ChatService) -> AsyncIterator[None]:
    """Ring reminders while the context is open."""
    sender = Sender(settings)
    runner = Runner(database, sender, address_seal(settings), settings, rang=service.rang_for)
    try:
        async with runner.running():
            yield
    finally:
        await sender.close()


@asynccontextmanager
async def _machines(settings: Settings, database: Database, decider: Decider) -> AsyncIterator[Machines]:
    """The machines on the broker of the settings."""
    try:
        from sayso.devices.hands import Machines as Devices  # noqa: PLC0415  an optional extra
        from sayso.devices.serve import open_devices  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise MissingExtra("devices", missing.name or "a package") from missing
    answers = load_answers(pack_folder("devices"))
    async with open_devices(settings, database) as service:
        yield Devices(service, Assistant(decider, answers, pack="devices", patience=FOR_MACHINES))


def check_settings(settings: Settings) -> None:
    """Raise BadSetting if the service could not start."""
    database_url(settings)
    trusted_tokens(settings)
    check_provider(settings)
    check_limits(settings)
    push_key(settings)


def serve(*, host: str, port: int, workers: int) -> None:
    """Serve until the process is stopped."""
    with ExitStack() as stack:
        if workers > 1:  # each worker counts in a file of this folder, and /metrics returns the sum
            os.environ.setdefault(SHARED_FOLDER, stack.enter_context(TemporaryDirectory(prefix="sayso-metrics-")))
        uvicorn.run(
            "sayso.chat.serve:app",
            factory=True,
            http=Bounded,
            host=host,
            port=port,
            workers=workers,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        )
