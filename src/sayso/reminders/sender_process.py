"""The sending process: it reads jobs from standard input, one JSON object per line, and answers on standard output.

Addresses come from users, and Apprise and pywebpush open connections without asking Sayso. They run in this process,
which cannot connect to a private network: an audit hook, which cannot be removed, checks the address of every
connection before it is opened. This process also cannot start another one.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import msgspec
import requests

from sayso.reminders.network import Networks
from sayso.reminders.values import Config, Job, Outcome, Sent

AT_ONCE = 8
TIMEOUT = 10.0  # seconds for a push service to answer
TTL = 24 * 3600  # seconds for which a push service keeps a message for a device that is off
_GONE = (404, 410)
_NEVER = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "pty.spawn",
)


class Blocked(OSError):
    """A connection was blocked."""


class _Thread(threading.local):
    blocked = False


_thread = _Thread()


def guard(networks: Networks) -> None:
    """From now on, block connections of this process to addresses that are not allowed."""

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            address = given[1] if len(given) > 1 else None
            host = address[0] if isinstance(address, tuple) and address else ""
            if not networks.may_reach(str(host)):
                _thread.blocked = True
                raise Blocked("this address is in a private network")
        elif event in _NEVER:
            raise Blocked("no other program is run here")

    sys.addaudithook(watch)


class _Session(requests.Session):
    """A session that follows no redirects, and reads only the trusted certificates from the environment."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.verify = os.environ.get("REQUESTS_CA_BUNDLE") or True

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002
        return None


def send(job: Job, config: Config) -> Sent:
    """Run a job. Errors become its outcome."""
    _thread.blocked = False
    try:
        outcome, detail = _push(job, config) if job.kind == "push" else _address(job)
    except ModuleNotFoundError:
        outcome, detail = "refused", "extra_not_installed"
    except Exception as problem:  # noqa: BLE001  libraries raise any type; the text may contain the address
        outcome, detail = "failed", type(problem).__name__
    if _thread.blocked:
        return Sent(job.id, "refused", "private_network")
    return Sent(job.id, outcome, detail)


def _push(job: Job, config: Config) -> tuple[Outcome, str]:
    from pywebpush import WebPushException, webpush  # noqa: PLC0415  loaded after the guard is up

    if config.push_key is None:
        return "refused", "push_is_off"
    headers: dict[str, str | int | float] = {"Urgency": "high", "Topic": job.topic}
    try:
        webpush(
            job.target,
            job.payload,
            vapid_private_key=config.push_key,
            vapid_claims={"sub": config.push_contact or "mailto:nobody@sayso.invalid"},
            timeout=TIMEOUT,
            ttl=TTL,
            headers=headers,
            requests_session=_Session(),
        )
    except WebPushException as problem:
        status = problem.response.status_code if problem.response is not None else None
        if status in _GONE:
            return "gone", str(status)
        return "failed", str(status or "unusable")
    return "sent", ""


def _address(job: Job) -> tuple[Outcome, str]:
    from apprise import Apprise, AppriseAsset  # noqa: PLC0415  loaded after the guard is up

    asset = AppriseAsset(http_redirects=False, async_mode=False, storage_mode="memory", plugin_paths=[])
    service = Apprise.instantiate(job.target, asset=asset, suppress_exceptions=True)
    if service is None:
        return "refused", "not_an_address"
    service.redirects = False
    if not job.title:
        return "sent", ""
    service.request_rate_per_sec = 0
    return ("sent", "") if service.notify(body=job.body, title=job.title) else ("failed", "not_accepted")


def main() -> None:
    logging.disable(logging.CRITICAL)  # libraries log addresses, which contain passwords
    given, written = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    config = msgspec.json.decode(given.readline(), type=Config)
    lock = threading.Lock()

    def work(job: Job) -> None:
        line = msgspec.json.encode(send(job, config)) + b"\n"
        with lock:
            written.write(line)
            written.flush()

    # Apprise has a setting for redirects that some of its services ignore. Looking for proxies in the environment
    # takes a fifth of a message's time.
    requests.sessions.Session = _Session  # type: ignore[misc]
    requests.Session = _Session  # type: ignore[misc]
    guard(Networks(config.networks))
    with suppress(ModuleNotFoundError):  # load now, so that the first message does not wait
        import pywebpush  # noqa: F401, PLC0415  after the guard is up

        _address(Job(0, "address", "jsons://example.com"))  # makes Apprise load its services
    written.write(msgspec.json.encode(Sent(0, "sent", "ready")) + b"\n")
    written.flush()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in given:
            pool.submit(work, msgspec.json.decode(line, type=Job))


if __name__ == "__main__":
    main()
