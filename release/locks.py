"""What the locks name: every package, Python's and the page's, with its version, its hashes and its licence."""

from __future__ import annotations

import base64
import json
import re
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parent.parent
KNOWN = yaml.safe_load((Path(__file__).parent / "licences.yaml").read_text("utf-8"))
_PINNED = re.compile(r"^(?P<name>[a-z0-9._-]+)==(?P<version>[^\s;\\]+)(?P<rest>(?:.*\\\n)*.*)$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class Package(NamedTuple):
    """A package as a lock names it."""

    kind: str  # pypi or npm, as in a package URL
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]  # algorithm and digest, in hexadecimal digits
    licence: str | None
    shipped: bool  # part of what we publish, in the page; else it is installed beside it
    needed: bool  # by whoever runs it; else by whoever works on it

    @property
    def url(self) -> str:
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version}"


def python_packages() -> list[Package]:
    """What the services need (requirements/all.txt), and beside it what working on them needs."""
    installed = {_plain(each.metadata["Name"]): each for each in distributions()}
    needed = {found["name"] for found in _pinned("all")}
    return [
        Package(
            kind="pypi",
            name=found["name"],
            version=found["version"],
            hashes=tuple(("SHA-256", digest) for digest in _HASH.findall(found["rest"])),
            licence=_licence(found["name"], installed.get(found["name"])),
            shipped=False,
            needed=found["name"] in needed,
        )
        for found in sorted(_pinned("all") + _pinned("dev"), key=lambda found: found["name"])
    ]


def page_packages() -> list[Package]:
    """What the page is made from, and what makes it."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    return [
        Package(
            kind="npm",
            name=place.rpartition("node_modules/")[2],
            version=each["version"],
            hashes=tuple(_integrity(each.get("integrity", ""))),
            licence=KNOWN["packages"].get(place.rpartition("node_modules/")[2], {}).get("licence", each.get("license")),
            shipped=not each.get("dev", False) or place.rpartition("node_modules/")[2] in KNOWN["page"],
            needed=not each.get("dev", False),
        )
        for place, each in lock["packages"].items()
        if place
    ]


def _pinned(lock: str) -> list[re.Match[str]]:
    return list(_PINNED.finditer((ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")))


def _integrity(text: str) -> list[tuple[str, str]]:
    parts = (one.partition("-") for one in text.split())
    return [(f"SHA-{kind.removeprefix('sha')}", base64.b64decode(digest).hex()) for kind, _, digest in parts]


def _licence(name: str, found: Distribution | None) -> str | None:
    """As SPDX writes it: what its metadata says, where that is clear; else what is known of it."""
    if name in KNOWN["packages"]:
        return str(KNOWN["packages"][name]["licence"])
    if found is None:
        return None
    said = found.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    classified = [each for each in said.get_all("Classifier") or [] if each.startswith("License ::")]
    texts = [each.rpartition(" :: ")[2] for each in classified] or [str(said.get("License") or "")]
    ours = [KNOWN["written"].get(each) for each in texts]
    return " OR ".join(sorted(each for each in ours if each)) if all(ours) else None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
