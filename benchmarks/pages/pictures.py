"""Draws the pictures of the documentation from what the command really prints: `python -m benchmarks pictures`."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text

from benchmarks import ROOT

HOME = ROOT / "docs"
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # fetched from elsewhere; a picture stands alone


PROMPT = "› "


def draw_chat(name: str, lines: Sequence[str], *arguments: str) -> None:
    """A conversation, typed into a terminal of its own."""
    main, other = pty.openpty()
    environment = os.environ | {"TERM": "dumb", "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "sayso.cli", "chat", *arguments]
    running = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=other, stdout=other, stderr=other)
    os.close(other)
    printed = b""
    for line in (*lines, "\x04"):
        before = len(printed)
        while not printed[before:].endswith(PROMPT.encode()):
            printed += os.read(main, 4096)
        os.write(main, line.encode() + (b"" if line == "\x04" else b"\n"))
    running.wait()
    os.close(main)
    text = printed.decode().replace("\r", "").removesuffix(PROMPT)
    paint(name, "sayso chat", _typed(Text.from_ansi(text)))


def _typed(screen: Text) -> Text:
    """What was typed stands out from what was answered."""
    screen.highlight_regex(rf"(?m)^{PROMPT}.*$", "bold")
    return screen


def paint(name: str, command: str, printed: Text) -> None:
    console = Console(record=True, width=110, file=StringIO())
    console.print(Text("$ ", style="dim") + Text(command, style="bold"))
    console.print(printed)
    picture = FONTS.sub("", console.export_svg(title="sayso"))
    (HOME / "pictures" / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    talk = [
        "add buy milk tomorrow at 5pm",
        "remind me to call mum on friday, it's urgent",
        "aggiungi un'attività: comprare il pane",
        "what do I have to do?",
        "mark the second one as done",
        "get rid of buy milk",
        "/why",
        "yes",
        "oops, undo that",
    ]
    draw_chat("chat", talk, "--now", "2026-11-15T11:00:00+01:00")
