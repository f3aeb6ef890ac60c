"""The ACL file of Mosquitto for the configured topic layout.

A machine logs in as its owner: the user name is the owner's level of the topic (`sayso devices acl --user ada` prints
it). The link has a separate user name, and only the link may publish commands.
"""

from __future__ import annotations

from sayso.devices.link.topics import ANSWER, METRICS, ONLINE, SET, STATE, Topics


def mosquitto_acl(topics: Topics, link: str, discovery: str | None = None) -> str:
    """The text of the file. `%u` is the user name of a client; a name with `+`, `#` or `/` matches no pattern."""
    every, own = topics.pattern("+", "+"), topics.pattern("%u", "+")
    lines = [
        "# Written by `sayso devices acl`. mosquitto.conf: allow_anonymous false, password_file …, acl_file THIS FILE.",
        "",
        "# Sayso: publishes commands and reads the messages of all machines.",
        f"user {link}",
        f"topic write {every}/{SET}",
        *(f"topic read {every}/{rest}" for rest in (f"{ANSWER}/+", ONLINE, STATE, METRICS)),
        *_discovery(discovery),
        "",
        "# Machines: read their owner's commands, and publish only for their owner's machines.",
        f"pattern read {own}/{SET}",
        *(f"pattern write {own}/{rest}" for rest in (f"{ANSWER}/+", ONLINE, STATE, METRICS)),
    ]
    return "\n".join(lines) + "\n"


def _discovery(prefix: str | None) -> list[str]:
    """The rights that the link needs for Home Assistant discovery. The operator must add the devices' own topics."""
    return [f"topic read {prefix.replace('{owner}', '+')}/#"] if prefix else []
