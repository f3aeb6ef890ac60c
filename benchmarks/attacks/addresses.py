"""Addresses that a hostile user could give for reminders: each leads to this machine, a private network or a file."""

from __future__ import annotations

import itertools

_HOSTS = (
    "127.0.0.1", "localhost", "127.1", "0", "0.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001",
    "127.0.1.1",
    "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::7f00:1]",
    "10.0.0.1", "10.255.255.254", "172.16.0.1", "172.31.255.254", "192.168.0.1", "192.168.1.254", "169.254.169.254",
    "169.254.170.2", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[fc00::7]", "localhost.", "ip6-localhost", "LOCALHOST",
)  # fmt: skip
_SCHEMES = ("ntfys", "ntfy", "jsons", "json", "gotifys", "mailtos", "mmosts")
_QUERIES = (
    "", "?cert=/etc/passwd", "?verify=no", "?attach=file:///etc/passwd", "?redirect=yes", "?pgpkey=/etc/shadow",
    "?overflow=split", "?:X-Header=1", "?+Host=inside", "?-x=1",
)  # fmt: skip
_OTHERS = (
    "file:///etc/passwd", "exec://id",
    "syslog://", "dbus://", "http://127.0.0.1/", "https://127.0.0.1/", "gopher://127.0.0.1/",
    "ftp://127.0.0.1/", "unix:///var/run/docker.sock", "mqtt://127.0.0.1/topic", "redis://127.0.0.1/",
    "data:text/plain,x",
    "javascript:alert(1)", "//127.0.0.1/", "ntfys:127.0.0.1", "ntfys:/127.0.0.1", "ntfys://127.0.0.1 /x",
    "ntfys://\t127.0.0.1/",
    "ntfys://127.0.0.1/\r\nHost: x", "ntfys://１２７.0.0.1/x", "", "ntfys://", "x" * 600,
)  # fmt: skip


def hostile_addresses(port: int, number: int) -> list[str]:
    """This many addresses, no two the same; those with a port name one where somebody listens."""
    tokens = {"gotifys": "/AbCdEfGh0123456", "mmosts": "/a1b2c3d4e5f6g7h8i9j0k1l2"}
    made = [
        f"{scheme}://{'user:secret@' if scheme == 'mailtos' else ''}{host}:{port}{tokens.get(scheme, '/topic')}{query}"
        for query, scheme, host in itertools.product(_QUERIES, _SCHEMES, _HOSTS)
    ]
    plain = made[: len(_SCHEMES) * len(_HOSTS)]
    rest = made[len(plain) :: 7]
    return [*plain, *_OTHERS, *rest][:number]
