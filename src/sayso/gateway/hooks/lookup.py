"""Finds the user's words for a call: those of the session whose client announced exactly this call.

The client's hook writes down the session, the tool and the arguments before the client makes the call. The gateway
takes that announcement, once, if the same client process started both. If two sessions announced the same call, it is
not clear whose it is, and there are no words.
"""

from __future__ import annotations

import logging
from typing import Any

from sayso.case import Turn
from sayso.gateway.hooks.payloads import plain
from sayso.gateway.hooks.processes import client_marks, is_same_client
from sayso.gateway.hooks.spool import Spool, digest, now, open_spool
from sayso.gateway.values import Words

_log = logging.getLogger(__name__)


class HookWords:
    """The words that hooks kept for this gateway, which one client started."""

    def __init__(self, spool: Spool | None = None, client: list[object] | None = None) -> None:
        self._spool, self._client = spool or open_spool(), client or client_marks()

    def of(self, tool: str, arguments: dict[str, Any]) -> Words | None:
        """The words of the session that makes this call; None if no hook tells."""
        if self._client is None:
            return None
        try:
            return self._find(tool, arguments)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            _log.warning("the words of the client's hooks cannot be read: %s", problem)
            return None

    def _find(self, tool: str, arguments: dict[str, Any]) -> Words | None:
        at, wanted, name = now(), digest(arguments), plain(tool)
        found = [
            (file, call)
            for file, call in self._spool.announced(at)
            if call["arguments"] == wanted
            and _is_named(str(call["tool"]), name)
            and is_same_client(self._client, call["client"])
        ]
        if not found:
            return None
        sessions = {str(call["session"]) for _, call in found}
        if len(sessions) > 1:  # what is left could go to the wrong one
            for file, _ in found:
                self._spool.claim(file)
            return None
        if not self._spool.claim(found[0][0]):
            return None
        *earlier, last = self._spool.messages(sessions.pop(), at) or [None]
        if last is None:
            return None
        history = tuple(Turn(role="user", content=each) for each in earlier if each is not None)
        return Words(message=last, history=history, trusted=True, source="hook")


def _is_named(announced: str, tool: str) -> bool:
    """Whether a client's name for a tool is ours, perhaps with the name of a server in front."""
    return announced == tool or announced.endswith(f"_{tool}")
