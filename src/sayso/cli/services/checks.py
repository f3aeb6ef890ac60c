"""Checks of `sayso doctor` for the settings and the services; they need the `server` extra."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Literal
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.exceptions import RedisError

from sayso.database.check import check
from sayso.errors import BadSetting, SaysoError
from sayso.settings import Settings, database_url, read_settings

Found = tuple[Literal["ok", "off", "bad"], str, str]
_PATIENCE = 3.0  # seconds for each service


def checks() -> Iterator[Found]:
    """One finding for each setting that names a service, and for what production requires."""
    try:
        settings = read_settings()
    except BadSetting as problem:
        yield "bad", "settings", str(problem)
        return
    yield "ok", "settings", f"{settings.env} mode"
    yield from _database(settings)
    yield _redis(settings)
    yield _broker(settings)
    yield _model(settings)
    if not settings.state_keys and not settings.in_development and settings.database_url is not None:
        yield "bad", "state keys", "SAYSO_STATE_KEYS is not set: make a key with `openssl rand -hex 32`"


def _database(settings: Settings) -> Iterator[Found]:
    if settings.database_url is None:
        yield "off", "database", "SAYSO_DATABASE_URL is not set; the services need it, the terminal does not"
        return
    try:
        findings = check(database_url(settings), in_production=not settings.in_development)
    except SaysoError as problem:
        yield "bad", "database", str(problem)
        return
    for finding in findings:
        yield "bad", "database", f"{finding.problem}: {finding.remedy}"
    if not findings:
        yield "ok", "database", "reachable, and its schema is current"


def _redis(settings: Settings) -> Found:
    if settings.redis_url is None:
        return "off", "redis", "SAYSO_REDIS_URL is not set; production requires it for rate limits"
    try:
        asyncio.run(_ping(settings.redis_url))
    except (RedisError, OSError, TimeoutError, ValueError) as problem:
        return "bad", "redis", f"no answer ({type(problem).__name__}): check SAYSO_REDIS_URL and the server"
    return "ok", "redis", "reachable"


async def _ping(url: str) -> None:
    async with asyncio.timeout(_PATIENCE), Redis.from_url(url) as client:
        await client.ping()


def _broker(settings: Settings) -> Found:
    if settings.mqtt_url is None:
        return "off", "broker", "SAYSO_MQTT_URL is not set; only machines need it"
    if find_spec("aiomqtt") is None:
        return "bad", "broker", 'SAYSO_MQTT_URL is set, and a package is missing: pip install "sayso[devices]"'
    parts = urlsplit(settings.mqtt_url.get_secret_value())
    return _reach("broker", parts.hostname, parts.port or 1883, "SAYSO_MQTT_URL")


def _model(settings: Settings) -> Found:
    if settings.model_base_url is None or settings.model is None:
        return "off", "model", "none is configured; Sayso decides without one"
    parts = urlsplit(settings.model_base_url)
    return _reach(
        "model", parts.hostname, parts.port or (443 if parts.scheme == "https" else 80), "SAYSO_MODEL_BASE_URL"
    )


def _reach(what: str, host: str | None, port: int, variable: str) -> Found:
    try:
        asyncio.run(_connect(host or "", port))
    except (OSError, TimeoutError) as problem:
        return "bad", what, f"{host}:{port} does not answer ({type(problem).__name__}): check {variable} and the server"
    return "ok", what, f"{host}:{port} answers"


async def _connect(host: str, port: int) -> None:
    async with asyncio.timeout(_PATIENCE):
        _, writer = await asyncio.open_connection(host, port)
    writer.close()
