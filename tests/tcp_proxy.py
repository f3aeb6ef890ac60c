"""A TCP proxy in front of a server, for tests: it can swallow what it carries, and refuse what is new."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Proxy:
    """Carries bytes both ways. A swallowed connection stays open and acknowledges what it is sent: nothing arrives."""

    def __init__(self, host, port):
        self._target = (host, port)
        self._server = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self._server.getsockname()[1]
        self._pairs = []
        self._swallowed = set()
        self._threads = []
        self.swallows_new = False
        self._start(self._accept)

    def swallow(self):
        """From now on the connections that are open lead nowhere."""
        self._swallowed.update(map(id, self._pairs))

    def close(self):
        sockets = [self._server, *(each for pair in self._pairs for each in pair)]
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        for each in [*sockets, *(each for pair in self._pairs for each in pair)]:
            each.close()

    def _start(self, work, *given):
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            pair = (near, socket.create_connection(self._target))
            if self.swallows_new:
                self._swallowed.add(id(pair))
            self._pairs.append(pair)
            for source, target in (pair, pair[::-1]):
                self._start(self._carry, pair, source, target)

    def _carry(self, pair, source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                if id(pair) not in self._swallowed:
                    target.sendall(data)
        if id(pair) not in self._swallowed:
            for each in pair:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
