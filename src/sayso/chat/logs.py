"""Logs: one JSON object a line, with the id of the request. Never what a person said, and never a token.

An exception is logged by its kind and its places in the code: its own text may quote what it failed on.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from typing import Any
from uuid import uuid4

import structlog
from structlog.types import EventDict, WrappedLogger

REQUEST_ID = "X-Request-ID"
_USABLE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def request_id(given: str | None) -> str:
    """The caller's id for the request, where it is one that can stand in a log; else one of ours."""
    return given if given and _USABLE_ID.fullmatch(given) else uuid4().hex


def places(error: BaseException) -> list[str]:
    """Where an exception came through, without its text or any value."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.name} ({frame.filename.rpartition('sayso/')[2]}:{frame.lineno})" for frame in frames][-12:]


def _without_text(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """In place of an exception, its kind and its places."""
    given: Any = event.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else given if isinstance(given, BaseException) else None
    if error is not None:
        event.update(error=type(error).__name__, places=places(error))
    return event


def configure_logs(level: int = logging.INFO) -> None:
    """Send everything that this process logs, also through the standard library, to standard error as JSON."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_text,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared[:-1], structlog.stdlib.PositionalArgumentsFormatter(), _without_text],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # whoever set it up before us printed plain text
        server = logging.getLogger(name)
        server.handlers[:], server.propagate = [], True
        server.setLevel(logging.NOTSET)
    for name in ("uvicorn.access", "httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # the request is logged once, by its route
