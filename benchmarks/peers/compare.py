"""Sayso beside its peers and its bare engines, everything in shuffled runs; the figures as JSON, and the page of them.

    python -m benchmarks peers             all of it, some ten minutes, on a machine that does nothing else
    python -m benchmarks peers-short       within a minute: fails where a figure is far from its target, writes nothing
    python -m benchmarks peers-page        the page again from the figures that are there

Contenders alternate in rounds, and a ratio is the median of the rounds'. The peers are installed into .peers/ from
hashed locks on the first run. PostgreSQL is the one in SAYSO_TEST_DATABASE; public data, for dates, the home and
the classifier, is in SAYSO_DATA. Exits with 0 whatever is met or missed: the page says so; the short form judges.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psycopg

from benchmarks.harness.figures import Part, Run, few, write
from benchmarks.harness.services import PATHS, ROOT, SERVER, peer_python
from benchmarks.peers import services as suite_services
from benchmarks.peers.gateway import gateways
from benchmarks.peers.page import PAGE, publish

LATEST = ROOT / "benchmarks" / "results" / "latest.json"
LONGEST = 1800  # seconds, of a part, on the busiest machine


class Extent(NamedTuple):
    """How much of it is run: a share of the rounds; as a whole also what is slow, the longest lists, public data."""

    share: float
    whole: bool = True


INSIDE = ("decision", "linking", "dates", "home", "intents")  # with other libraries, in their environment
OUTSIDE: dict[str, Callable[[Extent], Part]] = {
    "gateway": lambda extent: gateways(few(100, extent.share), default=extent.whole),
    "tasks": lambda extent: suite_services.tasks(few(7, extent.share), 5),
    "turns": lambda extent: suite_services.full_turns(few(15, extent.share), 2),
    "start": lambda extent: suite_services.start(few(20, extent.share)),
}
SHORT = ("decision", "linking", "dates", "gateway")  # the services have short forms among the tests
SLACK = 2.5  # a busy machine makes a short run no better than this many times its target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"some parts, with commas: {', '.join((*INSIDE, *OUTSIDE))}")
    parser.add_argument("--short", action="store_true", help="few rounds, no services; judge, and write nothing")
    parser.add_argument("--share", type=float, default=1, help="of the rounds: less is quicker, and less sure")
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from the figures")
    parser.add_argument("--out", type=Path, default=LATEST, help="where the figures go; elsewhere no page is written")
    options = parser.parse_args()
    if options.page:
        publish(Run.read(LATEST))
        return 0
    wanted = [part for part in options.only.split(",") if part] or [*INSIDE, *OUTSIDE]
    if options.short:
        wanted = [part for part in wanted if part in SHORT]
    run = measure(wanted, Extent(0.1, whole=False) if options.short else Extent(options.share))
    tell(run)
    if options.short:
        return judge(run)
    if options.only and options.out.exists():
        run = renewed(Run.read(options.out), run)
    options.out.parent.mkdir(exist_ok=True)
    write(run, options.out)
    print(f"figures: {options.out}")
    if options.out == LATEST:
        publish(run)
        print(f"page: {PAGE}")
    return 0


def measure(wanted: list[str], extent: Extent) -> Run:
    """One part after the other, so that none disturbs another."""
    started, load = time.monotonic(), os.getloadavg()
    parts: list[Part] = []
    versions: dict[str, str] = {}
    for number, name in enumerate(wanted, 1):
        print(f"{number} of {len(wanted)}: {name} ({time.monotonic() - started:.0f} s)", flush=True)
        if name in INSIDE:
            found, told = beside(name, extent)
            parts += found
            versions |= told
        else:
            parts.append(OUTSIDE[name](extent))
    return Run(
        date=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        commit=_said("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"),
        seconds=round(time.monotonic() - started),
        machine=machine(),
        load_before=[round(each, 2) for each in load],
        load_after=[round(each, 2) for each in os.getloadavg()],
        versions=versions,
        parts=parts,
    )


def beside(name: str, extent: Extent) -> tuple[list[Part], dict[str, str]]:
    """A part that is measured beside other libraries, in an environment that has them; nothing without its data."""
    python, data = peer_python("peers"), Path(os.environ.get("SAYSO_DATA", ""))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "part.json"
        command = [python, "-m", "benchmarks.peers.inside", "--part", name, "--out", out, "--share", str(extent.share)]
        command += ["--data", data.resolve()] if data.name and data.is_dir() and extent.whole else []
        command += ["--most", str(100_000 if extent.whole else 10_000)]
        variables = os.environ | {"PYTHONPATH": PATHS}
        subprocess.run(command, env=variables, check=True, timeout=LONGEST)
        told: dict[str, Any] = msgspec.json.decode(out.read_bytes())
    return msgspec.convert(told["parts"], list[Part]), told["versions"]


def machine() -> dict[str, str]:
    """What it ran on, without a name of it."""
    cpu = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    with psycopg.connect(SERVER) as connection:
        version = connection.info.parameter_status("server_version") or "?"
    return {
        "cores": str(os.cpu_count()),
        "processor": cpu[0].partition(":")[2].strip() if cpu else platform.machine(),
        "memory": f"{memory:.0f} GB",
        "system": f"{platform.system()}, {platform.machine()}",
        "Python": platform.python_version(),
        "PostgreSQL": version.split()[0],
    }


def renewed(before: Run, now: Run) -> Run:
    """The run before, with the parts that were measured again; each of these says when, and under which load."""
    when = f"Measured {now.date}, load {now.load_before[0]:g} to {now.load_after[0]:g}."
    fresh = {
        part.name: msgspec.structs.replace(part, note=" ".join(each for each in (part.note, when) if each))
        for part in now.parts
    }
    kept = [fresh.pop(part.name, part) for part in before.parts]
    return msgspec.structs.replace(before, parts=[*kept, *fresh.values()], versions=before.versions | now.versions)


def tell(run: Run) -> None:
    for target in (target for part in run.parts for target in part.targets):
        limit = f"  target {target.limit:g}: {'met' if target.is_met else 'missed'}" if target.limit is not None else ""
        value = target.value
        print(f"{target.what:70} {value.median:8.3g}  ({value.low:.3g} to {value.high:.3g}){limit}")
    print(f"{run.seconds} s; load {run.load_before[0]:.2f} before, {run.load_after[0]:.2f} after")


def judge(run: Run) -> int:
    """How many figures are so far from their target that no busy machine explains it; what is right or wrong counts."""
    far = [
        target
        for part in run.parts
        for target in part.targets
        if target.limit and not target.known and (not target.also or target.value.median > SLACK * target.limit)
    ]
    for target in far:
        print(f"FAR from its target of {target.limit:g}: {target.what}")
    return int(bool(far))


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
