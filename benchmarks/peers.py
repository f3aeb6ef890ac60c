"""How fast Sayso decides and links, against libraries that do the like, all in one shuffled run.

    python benchmarks/peers.py [--data DIR] [--report FILE] [--rounds 40] [--quick] [--only dates]

The peers (hassil, rapidfuzz, and with --data also dateparser, scikit-learn and, where there is npm, chrono-node) are
installed into an environment of their own in a temporary folder, releases older than 2026-11-01 only, and gone
afterwards. The sentences are ours, in
peers.yaml, and so are hassil's templates for them. Figures depend on the machine: trust the ratios. Always exits with 0
once it could measure: it judges nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
NEWEST = "2026-11-01"
PEERS = ("hassil", "rapidfuzz", "dateparser", "scikit-learn")
OURS = ("msgspec", "pyyaml")  # what Sayso itself needs there
LONGEST = 900  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="public data, for dates and for a trained classifier")
    parser.add_argument("--report", type=Path, help="write the tables as Markdown, too")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and no 100,000 titles")
    parser.add_argument("--only", choices=("decisions", "linking", "dates", "home", "classifier"), default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder))
        command = [python, HERE / "peers_inside.py", "--rounds", str(8 if options.quick else options.rounds)]
        command += ["--data", options.data.resolve()] if options.data else []
        command += ["--report", options.report.resolve()] if options.report else []
        command += ["--quick"] if options.quick else []
        command += ["--only", options.only] if options.only else []
        command += ["--chrono", folder] if options.data and chrono(Path(folder)) else []
        variables = os.environ | {"PYTHONPATH": str(HERE.parent / "src")}
        subprocess.run(command, env=variables, check=True, timeout=LONGEST)


def environment(folder: Path) -> Path:
    """An environment with the peers; its Python."""
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    install = [*uv, "pip", "install", "--quiet", "--python", python, "--exclude-newer", NEWEST]
    subprocess.run([*install, *PEERS, *OURS], check=True, timeout=LONGEST)
    return python


def chrono(folder: Path) -> bool:
    """Whether npm could put chrono-node into the folder."""
    npm = shutil.which("npm")
    if npm is None:
        return False
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--before", NEWEST]
    return subprocess.run([*install, "--prefix", folder, "chrono-node"], check=False, timeout=LONGEST).returncode == 0


if __name__ == "__main__":
    main()
