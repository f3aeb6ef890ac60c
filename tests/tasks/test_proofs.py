"""The short form of every proof of the task service; `python -m benchmarks` lists the long ones."""

from __future__ import annotations

import shutil

import pytest

pytestmark = pytest.mark.slow


def test_no_row_of_another_user_is_reached_and_every_weakening_is_noticed(prove):
    said = prove("isolation", "--users", "3", "--least", "500")
    assert "0 leaks" in said
    assert "72 weakenings, 0 of them not noticed" in said


def test_one_key_from_many_senders_over_two_replicas_is_one_effect(prove):
    said = prove("exactly-once", "--keys", "10", "--senders", "16")
    assert "10 effects, 0 doubled, 0 lost, 0 wrong answers" in said


def test_a_killed_server_loses_and_doubles_nothing(prove):
    said = prove("crash", "--calls", "40", "--kills", "3", "--at-point", "1", "--database-kills", "0")
    assert "0 lost, doubled or wrong" in said


@pytest.mark.long
def test_a_repeating_task_moves_to_the_next_date_of_its_rule_and_back(prove):
    said = prove("repeats", "--rules", "1000", "--stored", "40")
    assert "in memory: 1,000 rules" in said
    assert "on PostgreSQL: 40 rules" in said
    assert said.count("in 8 zones: 0 wrong") == 2


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("setpriv"), reason="a cluster of one's own is run as another user")
def test_a_killed_database_loses_and_doubles_nothing(prove):
    said = prove("crash", "--calls", "40", "--kills", "0", "--at-point", "0", "--database-kills", "1")
    assert "database killed 1 times in 40 calls: 0 lost, doubled or wrong" in said


@pytest.mark.skipif(not shutil.which("npm"), reason="the conformance suite needs npm")
@pytest.mark.long
def test_the_conformance_suite_passes(prove):
    said = prove("conformance", "--revision", "2026-07-28")
    assert "13 of 13 applicable scenarios pass" in said


@pytest.mark.long
def test_the_client_of_fastmcp_is_served(prove):
    assert "replayed, forged" in prove("fastmcp")


@pytest.mark.long
def test_the_measures_run(prove):
    assert "times" in prove(
        "size", "--tasks", "4000", "--users", "40", "--big", "2000", "--rounds", "5", "--most", "100"
    )
    if shutil.which("pgbench"):
        assert "ratio" in prove("throughput", "--rounds", "1", "--seconds", "1", "--least", "0")
