"""A page followed to the letter: what it says to save is saved, what it says to type is typed, in real terminals.

The page marks everything itself, in words that its readers follow too:

- a fence after "Save this as `NAME`" is a file;
- a fence marked `console` is typed at a shell: commands after `$ `, and after `› ` what is typed at the prompt of
  `sayso chat`. The other lines must be printed, in this order; `…` stands for anything;
- a fence after "second terminal" is typed into another one, in the same folder. What ran last in the first terminal
  runs on; at the end Ctrl-C must stop it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shlex
import signal
import struct
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from select import select
from typing import NamedTuple

FENCE = re.compile(r"^```(?P<kind>\w*)[^\n]*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SAVE = re.compile(r"[Ss]ave this as\s+`([^`]+)`")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07")
STATUS = re.compile(r"<<(\d+)>>\Z")  # our prompt, with the status of the command before it
ASKED = re.compile(r"(?:\A|\n)› \Z")
WIDTH = 140
PATIENCE = 240  # seconds for a command: an install may take long


class Astray(Exception):
    """The page and what happened are not the same."""


class Save(NamedTuple):
    """A file that the reader is told to save."""

    name: str
    body: str


class Command(NamedTuple):
    """A command, what is typed while it runs, and the lines that must come out."""

    terminal: int
    line: str
    typed: tuple[str, ...]
    printed: tuple[str, ...]
    stays: bool


def steps(text: str) -> list[Save | Command]:
    """What a page tells its reader to do, in order."""
    found = list(_steps(text))
    return [
        step._replace(stays=_goes_elsewhere(step, found[place + 1 :])) if isinstance(step, Command) else step
        for place, step in enumerate(found)
    ]


def _goes_elsewhere(step: Command, rest: list[Save | Command]) -> bool:
    """Whether the reader leaves this command running: the next one is for another terminal, for the first time."""
    following = next((other for other in rest if isinstance(other, Command)), None)
    return following is not None and step.terminal == 1 and following.terminal == 2


def _steps(text: str) -> Iterator[Save | Command]:
    end, terminal = 0, 1
    for fence in FENCE.finditer(text):
        before, end = text[end : fence.start()], fence.end()
        file = SAVE.search(before)
        if file:
            yield Save(file[1], fence["body"])
        elif fence["kind"] == "console":
            terminal = 2 if "second terminal" in before else 1 if "first terminal" in before else terminal
            yield from _commands(fence["body"], terminal)


def _commands(body: str, terminal: int) -> Iterator[Command]:
    for line, lines in commands(body):
        typed = tuple(each.removeprefix("› ") for each in lines if each.startswith("› "))
        printed = tuple(each for each in lines if not each.startswith("› "))
        yield Command(terminal, line, typed, printed, stays=False)


def commands(body: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console fence, each with the lines after it that say something."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, _, rest = part.partition("\n")
        while rest and _goes_on(line):
            more, _, rest = rest.partition("\n")
            line = f"{line}\n{more}"
        yield line, [each.rstrip() for each in rest.split("\n") if each.strip() not in ("", "…")]


def _goes_on(line: str) -> bool:
    """Whether a shell would wait for the rest of it."""
    try:
        shlex.split(line)
    except ValueError:  # a quotation that is open, or a backslash at the end
        return True
    return False


class Terminal:
    """A shell, from the side of whoever sits before it."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._shell, self._screen = pty.fork()
        if self._shell == 0:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--noprofile", "--norc", "--noediting", "-i"], environment)  # noqa: S606
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
        self._seen = ""
        self._type("stty -echo; PS2=; PS1='<<$?>>'; unset PROMPT_COMMAND")
        self._until(STATUS, 20)

    def run(self, command: Command) -> str:
        """What the command prints; where it stays, what it prints until the page's lines are there."""
        self._seen = ""
        self._type(command.line)
        if command.stays:
            return self._until_printed(command.printed)
        shown = ""
        for line in command.typed:
            shown += f"{self._until(ASKED, PATIENCE)}\n"
            self._type(line)
        shown += self._until(STATUS, PATIENCE)
        status = STATUS.search(shown)
        if status is None or status[1] != "0":
            raise Astray(f"{command.line}: ends with {status and status[1]}\n{shown}")
        missed = missing(command.printed, shown)
        if missed is not None:
            raise Astray(f"{command.line}: does not print: {missed}\n{shown}")
        return shown

    def interrupt(self) -> None:
        """Ctrl-C, and wait for the shell to be back."""
        self._seen = ""
        os.write(self._screen, b"\x03")
        self._until(STATUS, 60)

    def close(self) -> None:
        """Close the window: what still runs in it is told, and after ten seconds made to end."""
        os.killpg(self._shell, signal.SIGHUP)
        os.close(self._screen)
        for _ in range(100):
            if os.waitpid(self._shell, os.WNOHANG)[0]:
                return
            time.sleep(0.1)
        os.kill(self._shell, signal.SIGKILL)
        os.waitpid(self._shell, 0)

    def _type(self, line: str) -> None:
        os.write(self._screen, f"{line}\n".encode())

    def _until(self, wanted: re.Pattern[str], seconds: float) -> str:
        end = time.monotonic() + seconds
        while not wanted.search(self._seen):
            self._read(end)
        shown, self._seen = self._seen, ""
        return shown

    def _until_printed(self, lines: tuple[str, ...]) -> str:
        end = time.monotonic() + PATIENCE
        while missing(lines, self._seen) is not None:
            if STATUS.search(self._seen):
                raise Astray(f"it should run on, and ended:\n{self._seen}")
            self._read(end)
        return self._seen

    def _read(self, end: float) -> None:
        ready, _, _ = select([self._screen], [], [], max(0, end - time.monotonic()))
        if not ready:
            raise Astray(f"nothing more comes:\n{self._seen}")
        self._seen += ESCAPES.sub("", os.read(self._screen, 65536).decode("utf-8", "replace")).replace("\r", "")


def missing(lines: Sequence[str], shown: str) -> str | None:
    """The first of these lines that is not printed, in their order; None where all are."""
    printed = iter(shown.split("\n"))
    return next((line for line in lines if not any(fits(line, each) for each in printed)), None)


def fits(line: str, printed: str) -> bool:
    """Whether this is the line; where it has a `…`, that stands for anything, and gaps may be of any width."""
    if "…" not in line:
        return line.rstrip() == printed.rstrip()
    pattern = ".*".join(re.escape(" ".join(part.split())) for part in line.split("…"))
    return re.fullmatch(pattern, " ".join(printed.split())) is not None
