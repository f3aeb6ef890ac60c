"""A Mosquitto of one's own, that can be killed and started again: for proofs and tests."""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


class OwnBroker:
    """A broker process on a port of its own. What it has is gone when it is killed: nothing is written to disk."""

    def __init__(self, folder: Path, port: int, *, acl: str | None = None, users: dict[str, str] | None = None) -> None:
        self.port, self._folder = port, folder
        lines = [
            f"listener {port} 127.0.0.1",
            "max_queued_messages 0",
            "max_inflight_messages 1000",
            f"allow_anonymous {'false' if users else 'true'}",
        ]
        if users:
            lines.append(f"password_file {self._passwords(users)}")
        if acl is not None:
            (folder / "acl").write_text(acl, "utf-8")
            lines.append(f"acl_file {folder / 'acl'}")
        self._config = folder / "mosquitto.conf"
        self._config.write_text("\n".join([*lines, "user root", ""]), "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def _passwords(self, users: dict[str, str]) -> Path:
        file = self._folder / "passwords"
        file.touch(mode=0o600)
        for name, password in users.items():
            subprocess.run(["mosquitto_passwd", "-b", file, name, password], check=True, capture_output=True)
        return file

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [MOSQUITTO, "-c", str(self._config)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self._process.poll() is not None:
                raise SystemExit(f"the broker ended with {self._process.returncode}")
            time.sleep(0.02)
        raise SystemExit("the broker does not listen")

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None


@contextmanager
def own_broker(*, acl: str | None = None, users: dict[str, str] | None = None) -> Iterator[OwnBroker]:
    """A broker that runs, and is gone at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix=f"sayso-broker-{secrets.token_hex(4)}-") as folder:
        broker = OwnBroker(Path(folder), port, acl=acl, users=users)
        broker.start()
        try:
            yield broker
        finally:
            broker.kill()
