"""The licences of everything in the locks: each must be one that is allowed; THIRD-PARTY.md has the list.

    python release/licences.py

With `--check` nothing is written, and a list that is not up to date fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from locks import KNOWN, ROOT, Package, page_packages, python_packages

FILE = ROOT / "THIRD-PARTY.md"
HEAD = """# What others made

Written by `python release/licences.py` from the hashed locks.

The page that `sayso serve` has, and that lies in the wheel, is built from the following; their licences stand below.
Everything else is installed beside Sayso, as it is, and is no part of it.
"""


def problems(packages: list[Package]) -> Iterator[str]:
    """What may not be used as it is used."""
    for each in packages:
        if each.licence is None:
            yield f"{each.name} {each.version}: no licence is known. Look it up for release/licences.yaml."
        elif not is_allowed(each):
            yield f"{each.name} {each.version}: {each.licence} is not allowed. Do without, or say why in licences.yaml."


def is_allowed(package: Package) -> bool:
    """Whether one of the licences that one may choose from is allowed, with all that belongs to it."""
    if KNOWN["packages"].get(package.name, {}).get("allowed") and not package.shipped:
        return True
    allowed = {*KNOWN["allowed"], *(() if package.shipped else KNOWN["beside"])}
    choices = (package.licence or "").strip("()").split(" OR ")
    return any(all(part.strip("() ") in allowed for part in choice.split(" AND ")) for choice in choices)


def listed(packages: list[Package]) -> str:
    """The page."""
    shipped = [each for each in packages if each.shipped]
    needed = [each for each in packages if each.needed and not each.shipped]
    rest = [each for each in packages if not each.needed]
    parts = [HEAD, _table(shipped), "## What the services need\n", _table(needed), "## What working on it needs\n"]
    parts += [_table(rest), "## Licences of what lies in the page\n"]
    for text, names in _texts(shipped).items():
        parts.append(f"### {', '.join(names)}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def _table(packages: list[Package]) -> str:
    rows = sorted({(each.name, each.version, each.licence or "unknown") for each in packages})
    lines = ["| package | version | licence |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def _texts(packages: list[Package]) -> dict[str, list[str]]:
    """The text of each licence, with those whose it is."""
    found: dict[str, list[str]] = {}
    for each in sorted(packages):
        folder = ROOT / "web" / "node_modules" / each.name
        (file,) = (path for path in folder.iterdir() if path.name.upper().startswith("LICENSE"))
        found.setdefault(file.read_text("utf-8").strip(), []).append(each.name)
    return found


def main() -> int:
    packages = python_packages() + page_packages()
    wrong = list(problems(packages))
    for each in wrong:
        print(each, file=sys.stderr)
    text = listed(packages)
    if "--check" not in sys.argv:
        FILE.write_text(text, "utf-8")
    elif FILE.read_text("utf-8") != text:
        wrong.append("out of date")
        print("THIRD-PARTY.md is not up to date: run `python release/licences.py`.", file=sys.stderr)
    print(f"{len(packages)} packages, {len({each.licence for each in packages})} licences, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
