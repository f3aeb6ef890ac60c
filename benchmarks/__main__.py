"""Lists the measurements and proofs, or runs one.

    python -m benchmarks                       the list
    python -m benchmarks hostile               one of them
    python -m benchmarks hostile --seed 7      with options of its own; --help lists them

recipes.toml says what each name runs.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from benchmarks import ROOT

RECIPES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("recipes.toml").read_text("utf-8"))
SHARED = ROOT.parent / "shared"
ENVIRONMENT = {
    "SAYSO_BENCH": str(SHARED / "bench"),
    "SAYSO_DATA": str(SHARED / "data"),
    **os.environ,
    "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
}


def main() -> int:
    name, *options = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print(__doc__)
        print("\n".join(f"  {name:20} {recipe['about']}" for name, recipe in RECIPES.items()))
        return 0
    if name not in RECIPES:
        print(f"there is no {name}: `python -m benchmarks` lists the names", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    commands = [found for line in lines(RECIPES[name]) if (found := command(line, options))]
    install(RECIPES[name].get("needs", {}))
    for each in commands[:-1]:
        done = subprocess.run(each, env=ENVIRONMENT, check=False)
        if done.returncode:
            return done.returncode
    if commands:
        sys.stdout.flush()
        os.execve(sys.executable, commands[-1], ENVIRONMENT)  # noqa: S606  so that it gets signals itself
    return 0


def lines(recipe: dict[str, Any]) -> list[str]:
    run: str | list[str] = recipe["run"]
    return [run] if isinstance(run, str) else run


def command(line: str, options: list[str]) -> list[str]:
    """The command of a line, with files for its patterns; nothing if its patterns match no file."""
    module, *words = shlex.split(line)
    found = {word: files(word) for word in words}
    patterns = [word for word in words if "*" in word]
    if patterns and not any(found[word] for word in patterns):
        print(f"nothing at {' '.join(patterns)}")
        return []
    module = module if module.startswith("sayso.") else f"benchmarks.{module}"
    return [sys.executable, "-m", module, *(file for word in words for file in found[word]), *options]


def files(word: str) -> list[str]:
    """A word with its variables replaced; for a pattern, the files that it matches."""
    path = re.sub(r"\$(\w+)", lambda variable: ENVIRONMENT[variable[1]], word)
    if "*" in path:
        return sorted(map(str, Path(path).parent.glob(Path(path).name)))
    if path != word and not Path(path).exists():
        raise SystemExit(f"there is no {path}: name the decision benchmark in SAYSO_BENCH, public data in SAYSO_DATA")
    return [path]


def install(needs: dict[str, str]) -> None:
    """Installs the Debian packages of missing commands. A variable such as SAYSO_PGBOUNCER may name the command."""
    path = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"
    missing = [
        package
        for name, package in needs.items()
        if not os.environ.get(f"SAYSO_{name.upper()}") and not shutil.which(name, path=path)
    ]
    if missing:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", *missing], check=True)


if __name__ == "__main__":
    sys.exit(main())
