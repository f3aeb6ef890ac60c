"""The notation of the corpus is read as its README describes it, and every line of the corpus follows it."""

import hashlib

import msgspec
import pytest

from sayso.engine.reader.network import bytes_of, weights_of
from sayso.packs.load import READER, pack_folder
from training.check import duplicates
from training.notation import CORPUS, BadLine, Span, batch_texts, corpus_hash, parse_line, read_batch

BATCHES = batch_texts() | batch_texts(CORPUS.parent / "benchmarks" / "batches")


def test_values_are_marked_in_place_and_the_marks_are_gone():
    message = parse_line("add_task\tput [title renew the lease] down for [due friday]")
    assert message.text == "put renew the lease down for friday"
    assert message.spans == (Span("title", 4, 19), Span("due", 29, 35))


def test_a_further_clause_begins_where_it_is_marked():
    message = parse_line(
        "complete_task+add_task\t[task the oven] is done || and put down [title oven gloves]\ton: Oven"
    )
    assert message.text == "the oven is done and put down oven gloves"
    assert [message.text[at:] for at in message.clauses] == ["and put down oven gloves"]
    assert message.on == ("Oven",)


def test_context_tells_what_is_on_the_list_and_what_was_done():
    message = parse_line("update_task\tno, [new_due monday]\ton: Gas bill | Rent; last: added Gas bill")
    assert (message.on, message.last, message.last_titles) == (("Gas bill", "Rent"), "added", ("Gas bill",))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("add_task", "columns"),
        ("buy_milk\tmilk", "unknown act"),
        ("none/statement\t[title milk]", "does not belong"),
        ("add_task\t[what milk]", "unknown slot"),
        ("add_task\t[title milk] and [title eggs]", "2 titles"),
        ("undo\tback\tsaid: hello", "unknown context"),
    ],
)
def test_a_line_that_breaks_a_rule_is_refused_with_the_reason(line, reason):
    with pytest.raises(BadLine, match=reason):
        parse_line(line)


@pytest.mark.parametrize("name", BATCHES)
def test_every_line_of_the_corpus_follows_the_notation(name):
    batch, wrong = read_batch(name, BATCHES[name])
    assert not wrong
    assert len(batch.messages) > 100


def test_no_message_of_the_corpus_comes_twice():
    assert not list(duplicates(read_batch(*each)[0] for each in BATCHES.items()))


@pytest.mark.parametrize("pack", ["tasks", "devices"])
def test_the_weights_that_ship_were_trained_on_this_corpus(pack):
    data = (pack_folder(pack) / READER).read_bytes()
    assert weights_of(data).made["corpus"] == corpus_hash()


@pytest.mark.parametrize("pack", ["tasks", "devices"])
def test_the_weights_that_ship_are_compressed_and_an_uncompressed_file_reads_the_same(pack):
    data = (pack_folder(pack) / READER).read_bytes()
    weights = weights_of(data)
    plain = msgspec.msgpack.encode(weights)
    assert len(data) < 0.85 * len(plain)
    assert weights_of(plain) == weights_of(bytes_of(weights)) == weights


@pytest.mark.parametrize("pack", ["tasks", "devices"])
def test_the_page_about_the_reader_names_the_hash_of_the_weights(pack):
    data = (pack_folder(pack) / READER).read_bytes()
    assert len(data) <= 3_000_000
    assert hashlib.sha256(data).hexdigest() in (CORPUS.parent / "docs/explain/reader.md").read_text()
