"""What drives `sayso chat`: the environment of a command, and a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import tempfile
import time
from select import select

NOW = "2026-11-15T11:00:00+01:00"


def environment(root, **more):
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("SAYSO_", "LC_", "LANG"))}
    ours["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="sayso-test-")  # where a list is kept by default
    return ours | {"PYTHONPATH": str(root / "src"), "COLUMNS": "100", "LANG": "C.UTF-8"} | more


class Screen:
    """A terminal, from the side of whoever sits before it."""

    def __init__(self, command, environment):
        self._main, other = pty.openpty()
        self._seen = b""
        self.running = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment)
        os.close(other)

    def type(self, keys):
        os.write(self._main, keys.encode())

    def wait_for(self, text):
        """Go on once this is shown; return what was shown before it."""
        give_up = time.monotonic() + 60
        while text.encode() not in self._seen:
            assert select([self._main], [], [], max(0, give_up - time.monotonic()))[0], self._seen
            self._seen += os.read(self._main, 4096)
        before, _, self._seen = self._seen.partition(text.encode())
        return before.decode()

    def close(self):
        self.running.kill()
        self.running.wait()
        os.close(self._main)
