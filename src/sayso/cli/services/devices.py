"""Actions of `sayso mcp devices`; they need the `devices` extra."""

from __future__ import annotations

from sayso.cli.services.tasks import prepared, run
from sayso.devices.link.broker import broker_of
from sayso.devices.serve import serve_http, serve_stdio


def serve_devices(*, over_http: bool, host: str, port: int, sessions: bool) -> None:
    settings, url = prepared(over_http=over_http)
    broker_of(settings)
    run(serve_http(settings, url, host=host, port=port, sessions=sessions) if over_http else serve_stdio(settings, url))
