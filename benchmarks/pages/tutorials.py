"""The tutorials, followed to the letter from an empty environment: each in an empty folder, within five minutes.

    python -m benchmarks tutorials

The wheel that is built from this checkout stands in for the published package: pip is told where it lies, by a setting
of its own (PIP_FIND_LINKS), and no page is changed. They use port 8080 and, on the PostgreSQL of this machine, the
databases that the pages name. With `--here` it is the environment of this checkout: nothing is installed, ports and
databases have names of their own, and it takes seconds. That is what the tests do.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks.harness.services import ROOT, SERVER, free_port
from benchmarks.pages.follow import Astray, Save, Terminal, steps

# A section that continues in the tutorial's folder; it is not part of the five minutes.
GOES_ON = {"developers": ("gateway.md", "## Read the trail")}
PAGES = ("people", "developers", "operators")
LONGEST = 300  # seconds for a page
INSTALLS = re.compile(r"python3 -m venv |\. \S+/activate|pip install ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", default=list(PAGES), help=f"which ones: {', '.join(PAGES)}")
    parser.add_argument("--here", action="store_true", help="in the environment of this checkout; nothing is installed")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="sayso-tutorials-") as made:
        settings = _here() if options.here else _anywhere(Path(made))
        for name in options.pages:
            folder = Path(made) / name
            folder.mkdir()
            seconds, slowest = follow(_text(name, here=options.here), folder, settings | {"HOME": str(folder)})
            print(f"{name}: done in {seconds:.0f} s; the longest step, {slowest}", flush=True)
            if seconds > LONGEST:
                sys.exit(f"{name}: longer than {LONGEST} s")


def _text(name: str, *, here: bool) -> str:
    """The page; in this environment without what makes one, and with a port and databases of its own."""
    text = (ROOT / "docs" / "tutorials" / f"{name}.md").read_text("utf-8")
    if not here:
        return text
    if name in GOES_ON:
        page, heading = GOES_ON[name]
        text += (ROOT / "docs" / page).read_text("utf-8").partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    port, own = free_port(), f"sayso_tutorial_{secrets.token_hex(4)}"
    text = re.sub(rf"^\$ (?:{INSTALLS.pattern}).*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\$ sayso serve.*$", rf"\g<0> --port {port}", text, flags=re.MULTILINE)
    return text.replace(":8080", f":{port}").replace("sayso_tutorial", own)


def _anywhere(made: Path) -> dict[str, str]:
    """The variables of a machine that has Python, PostgreSQL and pip's settings, and nothing of ours."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", made / "dist", ROOT]
    subprocess.run(build, check=True, capture_output=True)
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    found = f"{pip.get('PIP_FIND_LINKS', '')} {made / 'dist'}".strip()
    return _machine() | pip | {"PIP_FIND_LINKS": found, "PATH": "/usr/local/bin:/usr/bin:/bin"}


def _here() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return _machine() | {"PATH": path, "PYTHONPATH": str(ROOT / "src")}


def _machine() -> dict[str, str]:
    given = conninfo_to_dict(SERVER)
    postgres = {"PGPORT": str(given.get("port", 5432)), "PGPASSWORD": str(given.get("password", ""))}
    return postgres | {"LANG": "C.UTF-8", "TERM": "xterm"}


def follow(text: str, folder: Path, environment: dict[str, str]) -> tuple[float, str]:
    """Do what the page says; how long that took, and what took longest."""
    terminals: dict[int, Terminal] = {}
    running: set[int] = set()
    took: dict[str, float] = {}
    start = time.monotonic()
    try:
        for step in steps(text):
            began = time.monotonic()
            if isinstance(step, Save):
                (folder / step.name).write_text(step.body, "utf-8")
                continue
            if step.terminal in running:
                terminals[step.terminal].interrupt()
                running.discard(step.terminal)
            if step.terminal not in terminals:
                terminals[step.terminal] = Terminal(folder, environment)
            terminals[step.terminal].run(step)
            if step.stays:
                running.add(step.terminal)
            took[step.line.partition("\n")[0]] = time.monotonic() - began
        for number in running:
            if "Ctrl-C" not in text:
                raise Astray("the page does not say how to end what runs")
            terminals[number].interrupt()
    except Astray as problem:
        sys.exit(f"{folder.name}: {problem}")
    finally:
        for terminal in terminals.values():
            terminal.close()
        _drop(text)
    slowest = max(took, key=took.__getitem__)
    return time.monotonic() - start, f"{slowest}: {took[slowest]:.0f} s"


def _drop(text: str) -> None:
    """Databases that a page makes by name, and a run that went astray left behind."""
    for name in re.findall(r"^\$ createdb .*?(\w+)$", text, re.MULTILINE):
        with psycopg.connect(SERVER, autocommit=True) as on:
            on.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


if __name__ == "__main__":
    main()
