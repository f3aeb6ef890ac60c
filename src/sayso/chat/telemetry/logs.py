"""Logs: one JSON object per line, with the request's id. Messages and tokens are never logged.

An exception is logged with its type and its places in the code, without its text, which may quote user data.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import msgspec
import structlog
from structlog.types import EventDict, WrappedLogger

REQUEST_ID = "X-Request-ID"
_REQUESTS = "sayso.chat"
_LEVELS = {logging.DEBUG: "debug", logging.INFO: "info"}
_USABLE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def request_id(given: str | None) -> str:
    """The caller's id for the request if it is safe to log, otherwise a new id."""
    return given if given and _USABLE_ID.fullmatch(given) else uuid4().hex


def places(error: BaseException) -> list[str]:
    """The stack of an exception, without its text or any values."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.name} ({frame.filename.rpartition('sayso/')[2]}:{frame.lineno})" for frame in frames][-12:]


def _without_text(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and its places."""
    given: Any = event.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else given if isinstance(given, BaseException) else None
    if error is not None:
        event.update(error=type(error).__name__, places=places(error))
    return event


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Formats a record as JSON. A record that already has its line is written unchanged."""

    def format(self, record: logging.LogRecord) -> str:
        line: str | None = getattr(record, "line", None)
        return super().format(record) if line is None else line


def log_request(name: str, level: int, **told: Any) -> None:
    """Log a request. The line has the same format as any other, but is built directly, because there is one per
    request."""
    logger = logging.getLogger(_REQUESTS)
    if not logger.isEnabledFor(level):
        return
    record = logging.LogRecord(_REQUESTS, level, __file__, 0, "request", None, None)
    when = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
    more = {"event": "request", "request_id": name, "level": _LEVELS[level], "logger": _REQUESTS, "timestamp": when}
    record.line = msgspec.json.encode(told | more).decode()
    logger.handle(record)


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
        _Formatter(
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
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # they print plain text by default
        server = logging.getLogger(name)
        server.handlers[:], server.propagate = [], True
        server.setLevel(logging.NOTSET)
    for name in ("uvicorn.access", "httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # the request is logged once, by its route
