"""Draws the pictures of the documentation from what the command really prints: `make pictures`."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
HOME = ROOT / "docs"
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # fetched from elsewhere; a picture stands alone


def draw(name: str, *arguments: str) -> None:
    """One command with its output, as an SVG."""
    shown = " ".join(f'"{argument}"' if " " in argument else argument for argument in arguments)
    printed = subprocess.run(
        [sys.executable, "-c", COLOURED, *arguments], cwd=ROOT, check=True, capture_output=True, encoding="utf-8"
    ).stdout
    console = Console(record=True, width=110, file=StringIO())
    console.print(Text("$ ", style="dim") + Text(f"sayso {shown}", style="bold"))
    console.print(Text.from_ansi(printed))
    picture = FONTS.sub("", console.export_svg(title="sayso"))
    (HOME / "pictures" / f"{name}.svg").write_text(picture, encoding="utf-8")


# click strips colours where no terminal is; the picture wants them
COLOURED = """
import sys
sys.stdout.isatty = lambda: True
from sayso.cli.main import app
app()
"""

if __name__ == "__main__":
    message = "can you pls mark teh milk one as done and push the report to friday"
    draw("explain", "explain", message, "--case", "examples/two-tasks.json")
