"""The short form of every proof of the chat service; `python -m benchmarks` lists the long ones."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_no_altered_card_is_accepted_and_every_yes_counts_once(prove):
    said = prove("cards", "--mutations", "1", "--cards", "3", "--lives", "4")
    assert "63 altered cards (20 fields, 63 ways): 0 accepted" in said
    assert "3 cards x 16 senders over 2 replicas: 0 wrong; 20 lives of cards: 0 wrong" in said


@pytest.mark.long
def test_a_bulk_is_one_transaction_one_group_and_one_undo_and_survives_kills(prove):
    said = prove("bulk", "--kills", "1")
    assert said.count("50 calls, 1 transaction, 1 group, 1 way back; 1 undo restored all 50") == 2
    assert "4 kills" in said
    assert "0 anything else" in said


def test_every_tampering_with_a_trail_is_found_and_nothing_else_is(prove):
    said = prove("tamper", "--entries", "100", "--tamperings", "76", "--harmless", "10")
    assert "76 tamperings of 38 kinds" in said
    assert "76 found; 10 harmless things: 0 alarms" in said
    assert "76 tamperings of 19 kinds with a gateway's file of the same entries: 76 found" in said


def test_an_erased_person_leaves_no_word_in_a_dump(prove):
    said = prove("erasure", "--canaries", "20")
    assert "20 canaries" in said
    assert "0 hits in a dump, where 0 were missing before; 0 of 20 canaries of somebody else lost" in said
