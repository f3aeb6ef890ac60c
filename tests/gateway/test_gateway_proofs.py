"""The short form of every proof of the gateway; `python -m benchmarks` lists the long ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def prove(root):
    def run(name, *options):
        command = [sys.executable, "-m", "benchmarks", name, *options]
        done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_a_yes_that_is_sent_by_many_counts_once(prove):
    said = prove("gateway-once", "--states", "50")
    assert "50 ran, 0 doubled, 0 lost; the others: 750 refused" in said


def test_a_yes_counts_once_for_gateways_that_share_a_database_alone(prove, server):  # noqa: ARG001  it is there
    said = prove("gateway-once", "--states", "20", "--ledger")
    assert "20 ran, 0 doubled, 0 lost; the others: 300 refused" in said


def test_no_forged_replayed_swapped_or_late_yes_or_grant_counts(prove):
    said = prove("gateway-forgeries", "--tries", "72")
    assert "72 forged, replayed, swapped and late yeses and grants: 0 accepted" in said
    assert "genuine yeses and grants: 6 of 6 accepted" in said


@pytest.mark.long
def test_injected_text_changes_no_decision(prove):
    assert "0 decisions changed of 540" in prove("gateway-injections", "--injections", "60")


@pytest.mark.long
def test_fastmcp_is_served_and_stood_before(prove):
    said = prove("gateway-fastmcp", "--short")
    assert "sessions, 2026-07-28: 3 servers, every turn of a call" in said
    assert "sessions, legacy: 3 servers, every turn of a call" in said
