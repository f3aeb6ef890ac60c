"""The supply chain: every package of every lock has a hash and a licence that is allowed; what is published says so."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from datetime import UTC, datetime

import pytest
from standing import ROOT

sys.path.insert(0, str(ROOT / "release"))
from licences import FILE, is_allowed, problems
from locks import Package, page_packages, python_packages
from sbom import bill

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.fixture(scope="module")
def packages():
    return python_packages() + page_packages()


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_line_of_a_lock_is_pinned_and_has_a_hash(lock):
    entries = re.split(r"^(?=[a-z0-9])", lock.read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_every_package_of_the_page_has_a_hash_whatever_platform_it_is_for():
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    without = [place for place, each in lock["packages"].items() if place and "integrity" not in each]
    assert without == []


def test_no_lock_names_a_registry():
    for lock in LOCKS:
        assert "://" not in lock.read_text("utf-8"), lock.name
    assert '"resolved"' not in (ROOT / "web" / "package-lock.json").read_text("utf-8")


def test_every_licence_is_known_and_allowed(packages):
    assert len(packages) > 200
    assert list(problems(packages)) == []


@pytest.mark.parametrize(
    ("licence", "shipped", "allowed"),
    [
        ("MIT", True, True),
        ("MIT OR GPL-3.0-only", True, True),
        ("Apache-2.0 AND BSD-2-Clause", True, True),
        ("Apache-2.0 AND GPL-3.0-only", False, False),
        ("MPL-2.0", False, True),
        ("MPL-2.0", True, False),
        ("AGPL-3.0-only", False, False),
        (None, False, False),
    ],
)
def test_a_licence_is_let_pass_or_not(licence, shipped, allowed):
    package = Package("npm", "some", "1", (), licence, shipped=shipped, needed=True)
    assert is_allowed(package) is allowed
    assert bool(list(problems([package]))) is not allowed


def test_the_list_of_what_others_made_names_every_package(packages):
    text = FILE.read_text("utf-8")
    for each in packages:
        assert f"| {each.name} | {each.version} | {each.licence} |" in text, "run `python release/licences.py`"
    assert "Permission is hereby granted" in text


def test_the_bill_of_materials_has_every_package_with_its_hashes(packages):
    made = bill(packages, "0.1.0", datetime.now(UTC))
    assert {each["purl"] for each in made["components"]} == {each.url for each in packages}
    for component in made["components"]:
        assert component["externalReferences"], component["name"]
        assert component["licenses"][0]["expression"]


def test_what_is_published_says_whose_it_is_and_what_is_new():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["license-files"]) == {"LICENSE", "NOTICE", "THIRD-PARTY.md"}
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## .*\b{re.escape(project['version'])}\b", changes, re.MULTILINE)
    notice = (ROOT / "NOTICE").read_text("utf-8")
    assert "THIRD-PARTY.md" in notice
    for file in re.findall(r"src/\S+\.json", notice):
        assert (ROOT / file).exists(), file
