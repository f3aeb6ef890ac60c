"""The automaton accepts exactly the sequences that its patterns stand for."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.engine.text.automaton import Automaton
from sayso.engine.text.patterns import MOST_EXPANSIONS, BadPattern, expand, is_plain, parse, symbols, words_in

WORDS = ["a", "b", "c", "<x>", "{s}"]


def _grouped(inner):
    series = st.lists(inner, min_size=1, max_size=3).map(" ".join)
    ways = st.lists(series, min_size=1, max_size=3).map("|".join)
    return ways.map("({})".format) | ways.map("[{}]".format) | series


patterns = st.recursive(st.sampled_from(WORDS), _grouped, max_leaves=7)


def key(symbol):
    return f"{symbol.kind}:{symbol.name}"


def sequences(pattern):
    return {tuple(map(key, sequence)) for sequence in expand(pattern)}


def accepts(automaton, sequence, start=""):
    """The labels of the patterns that end with this sequence."""
    state = automaton.start(start)
    for symbol in sequence:
        if state is None:
            return ()
        state = automaton.step(state, symbol)
    return state.labels if state is not None else ()


def nearby(wanted):
    """The sequences themselves, each with a symbol more or less or another, and all the short ones."""
    alphabet = [key(symbol) for word in WORDS for symbol in symbols(word)]
    found = set(product(alphabet, repeat=1)) | set(product(alphabet, repeat=2))
    for sequence in sorted(wanted)[:30]:
        found.add(sequence)
        for at in range(len(sequence) + 1):
            found.add(sequence[:at] + sequence[at + 1 :])
            found.update((*sequence[:at], symbol, *sequence[at:]) for symbol in alphabet)
            found.update((*sequence[:at], symbol, *sequence[at + 1 :]) for symbol in alphabet)
    return found - {()}


@given(patterns)
def test_it_accepts_exactly_what_the_pattern_stands_for(pattern):
    wanted = sequences(pattern)
    automaton = Automaton()
    automaton.add("", "it", parse(pattern), key)
    for sequence in nearby(wanted):
        assert (accepts(automaton, sequence) == ("it",)) == (sequence in wanted), sequence


@given(st.lists(patterns, min_size=2, max_size=4))
def test_every_pattern_keeps_its_own_label(several):
    automaton = Automaton()
    for number, pattern in enumerate(several):
        automaton.add("", number, parse(pattern), key)
    wanted = [sequences(pattern) for pattern in several]
    for sequence in set().union(*wanted) - {()}:
        labels = [number for number, those in enumerate(wanted) if sequence in those]
        assert sorted(accepts(automaton, sequence)) == labels


def test_patterns_of_one_start_are_not_seen_from_another():
    automaton = Automaton()
    automaton.add("one", 1, parse("a b"), key)
    automaton.add("two", 2, parse("a c"), key)
    assert accepts(automaton, ("word:a", "word:b"), "one") == (1,)
    assert accepts(automaton, ("word:a", "word:b"), "two") == ()
    assert automaton.start("three") is None


def test_plain_words_are_a_pattern_too():
    automaton = Automaton()
    automaton.add_words("", "it", ["get", "rid", "of"])
    automaton.add_words("", "it too", ["get"])
    automaton.add_words("", "never", [])
    assert accepts(automaton, ("get", "rid", "of")) == ("it",)
    assert accepts(automaton, ("get",)) == ("it too",)
    assert accepts(automaton, ("get", "rid")) == ()


@given(st.lists(st.sampled_from(["get", "rid", "of"]), min_size=1, max_size=5))
def test_plain_words_and_the_pattern_of_them_accept_the_same(words):
    plain, parsed = Automaton(), Automaton()
    plain.add_words("", "it", words)
    parsed.add("", "it", parse(" ".join(words)), lambda symbol: symbol.name)
    for end in range(1, len(words) + 1):
        assert accepts(plain, words[:end]) == accepts(parsed, words[:end])


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("[a", '"[" is never closed in "[a"'),
        ("(a|b", '"(" is never closed in "(a|b"'),
        ("(a]", '"(" is never closed in "(a]"'),
        ("a)", 'unexpected ")" in "a)"'),
        ("a ] b", 'unexpected "]" in "a ] b"'),
        ("<a", 'cannot read "<a" in "<a"'),
        ("add {title", 'cannot read "{title" in "add {title"'),
        ("a > b", 'cannot read ">" in "a > b"'),
        ("<two words>", 'cannot read "<two"'),
    ],
)
def test_a_bad_pattern_is_refused_with_what_is_wrong(pattern, named):
    with pytest.raises(BadPattern) as refused:
        parse(pattern)
    assert named in str(refused.value)


def test_a_pattern_that_stands_for_too_much_is_not_expanded():
    many = " ".join(["(a|b|c)"] * 7)
    assert MOST_EXPANSIONS < 3**7
    with pytest.raises(BadPattern, match="stands for 2187 sentences"):
        list(expand(many))


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("a [b] c", {"a b c", "a c"}),
        ("(a|b c) d", {"a d", "b c d"}),
        ("a|b", {"a", "b"}),
        ("[a|b] [c]", {"", "a", "b", "c", "a c", "b c"}),
        ("(a|[b]) c", {"a c", "b c", "c"}),
        ("[[a] b]", {"", "b", "a b"}),
        ("(a|) b", {"a b", "b"}),
    ],
)
def test_a_pattern_stands_for_its_sentences(pattern, texts):
    assert {" ".join(symbol.name for symbol in sequence) for sequence in expand(pattern)} == texts


def test_plain_patterns_and_their_words_are_told_from_others():
    assert is_plain("get rid of")
    assert not is_plain("get [rid]")
    assert words_in("(get|be) rid [of]") == ["get", "be", "rid", "of"]


def test_a_class_may_stand_inside_a_pattern():
    inside = {"kind": parse("shopping|to do")}
    automaton = Automaton()
    automaton.add("", "on", parse("on [my] [<kind>] list", inside), key)
    for sequence in ("on list", "on my list", "on my shopping list", "on to do list"):
        assert accepts(automaton, [f"word:{word}" for word in sequence.split()]) == ("on",)
    assert accepts(automaton, ["word:on", "word:to", "word:list"]) == ()
    assert words_in("on [my] <kind> list") == ["on", "my", "list"]
