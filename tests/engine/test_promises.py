"""What holds for every message, whatever it says: the benchmark's, our own rounds' and hostile ones."""

from __future__ import annotations

import random
import time

import pytest
from msgspec import UNSET

from benchmarks.reading import fuzz
from sayso.case import case_from_object, to_json
from sayso.decider import Decider
from sayso.decision import Call, Confirm
from sayso.engine.slots.validate import faults
from sayso.languages.load import installed_language, installed_tags
from sayso.packs.load import installed_packs, load_tools
from talk import DECIDER, asked, assistant, case, tasks, user, which

FUZZED = 100
LIST = tasks("Buy milk", "Buy milk for Anna", "Finish the report", "Call the bank", "Pagare la bolletta")
TOOLS = {pack: load_tools(pack) for pack in installed_packs()}
ASKS = {
    word
    for tag in installed_tags()
    for word in installed_language(tag).words.classes["wh"]
    if word.isalpha() and word not in ("if", "se")
}


@pytest.fixture(scope="module")
def cases(some_lines):
    """The cases of every pack that is installed, and hostile messages with and without an open question."""
    found = [
        case_from_object({key: value for key, value in line.items() if key not in ("expect", "tags")})
        for line in some_lines
        if line["pack"] in TOOLS
    ]
    dice = random.Random(11)
    pending = [None, None, asked("delete_task", "t3"), which("delete_task", LIST[0], LIST[1])]
    found += [case(fuzz.message(dice)[:2_000], LIST, (), dice.choice(pending), None) for _ in range(FUZZED)]
    return found


@pytest.fixture(scope="module")
def answers(cases):
    decider = Decider.installed()
    return [decider.decide(one) for one in cases]


@pytest.fixture(scope="module")
def decided(cases, answers):
    """Every decision with its case."""
    return [(one, decision) for one, answer in zip(cases, answers, strict=True) for decision in answer.decisions]


@pytest.fixture(scope="module")
def ready(decided):
    """The calls and confirms among them, but for questions that are merely asked again."""
    made = [(one, decision) for one, decision in decided if isinstance(decision, (Call, Confirm))]
    return [(one, decision) for one, decision in made if decision != one.pending]


def destructive(one, decision):
    return TOOLS[one.pack][decision.tool].risk == "destructive"


def told(one, decision):
    return f"{one.id} {one.message[:80]!r} → {decision}"


def test_there_is_enough_to_look_at(cases, ready):
    kinds = [(isinstance(decision, Call), destructive(one, decision)) for one, decision in ready]
    assert len(cases) >= FUZZED + 300
    assert all(kinds.count(kind) >= 5 for kind in ((True, False), (False, True)))


def test_every_answer_has_a_decision(answers):
    assert all(answer.decisions for answer in answers)


def test_every_confidence_is_a_probability(decided):
    assert [told(*pair) for pair in decided if not 0 <= pair[1].confidence <= 1] == []


def test_every_argument_of_a_call_or_confirm_has_evidence(ready):
    bare = [(one, decision) for one, decision in ready if set(decision.arguments) - set(decision.evidence)]
    # Follow-ups to a list are the known hole: see the next test.
    bare = [(one, decision) for one, decision in bare if decision.tool != "list_tasks" or not one.history]
    assert [told(*pair) for pair in bare] == []


def test_what_a_follow_up_takes_over_has_evidence():
    history = (user("show my pending tasks"), assistant("Two.", "t1", "t3"))
    (call,) = DECIDER.decide(case("only the high priority ones", LIST, history)).decisions
    assert set(call.arguments) == set(call.evidence) == {"filter", "priority"}


def test_evidence_speaks_only_of_arguments(ready):
    assert [told(*pair) for pair in ready if set(pair[1].evidence) - set(pair[1].arguments)] == []


def test_every_span_lies_inside_the_message(ready):
    for one, decision in ready:
        for proof in decision.evidence.values():
            if proof.span is not UNSET:
                start, end = proof.span
                assert 0 <= start <= end <= len(one.message), told(one, decision)


def test_what_comes_from_the_message_has_a_span_that_is_not_empty(ready):
    for one, decision in ready:
        for name, proof in decision.evidence.items():
            if proof.source == "message" and (proof.span is not UNSET or name != "task_identifier"):
                assert proof.span is not UNSET, told(one, decision)
                assert one.message[slice(*proof.span)].strip(), told(one, decision)


@pytest.mark.parametrize(
    "message", ["call the bank, make that due friday", "finish the report - make it high priority"]
)
def test_a_thing_that_comes_from_the_message_has_a_span(message):
    for decision in DECIDER.decide(case(message, LIST)).decisions:
        proof = decision.evidence["task_identifier"]
        assert proof.source != "message" or proof.span is not UNSET


def test_a_question_that_is_asked_again_has_no_span_of_an_earlier_message():
    (first,) = DECIDER.decide(case("please delete finish the report", LIST)).decisions
    (second,) = DECIDER.decide(case("yes?", LIST, pending=first)).decisions
    assert (second.tool, second.arguments) == (first.tool, first.arguments)
    assert all(proof.span is UNSET or proof.span[1] <= len("yes?") for proof in second.evidence.values())


def test_every_entity_that_is_named_as_evidence_is_one_of_the_person_s(ready):
    for one, decision in ready:
        known = {entity.id for entity in one.entities}
        assert all(proof.entity in known for proof in decision.evidence.values() if proof.entity is not UNSET)


def test_nothing_is_destroyed_without_a_yes_to_that_very_question(ready):
    for one, decision in ready:
        if isinstance(decision, Call) and destructive(one, decision):
            assert isinstance(one.pending, Confirm), told(one, decision)
            assert (one.pending.tool, one.pending.arguments) == (decision.tool, decision.arguments), told(one, decision)


def test_every_destructive_confirm_says_so_and_names_its_target(decided):
    for one, decision in decided:
        if isinstance(decision, Confirm) and destructive(one, decision):
            assert decision.reason == "destructive" or (decision.reason == "several" and decision.group)
            assert decision.question.strip()


def test_a_question_never_writes(decided):
    asked_about = 0
    for one, decision in decided:
        words = one.message.casefold().split()
        if words and words[0] in ASKS and one.message.rstrip().endswith("?"):
            asked_about += 1
            assert not isinstance(decision, Call) or TOOLS[one.pack][decision.tool].risk == "read", told(one, decision)
    assert asked_about > 15


@pytest.mark.parametrize(
    "ask", ["did I {}?", "when did I {}?", "why would I {}?", "how do I {}?", "what happens if I {}?", "should I {}?"]
)
@pytest.mark.parametrize(
    "act", ["delete the report", "complete buy milk", "add water the plants", "move the report to friday", "finish it"]
)
def test_a_question_about_an_act_never_does_it(ask, act):
    one = case(ask.format(act), LIST)
    writes = [
        decision
        for decision in DECIDER.decide(one).decisions
        if isinstance(decision, (Call, Confirm)) and TOOLS["tasks"][decision.tool].risk != "read"
    ]
    assert writes == []


def test_the_arguments_of_every_call_fit_the_tool(ready):
    for one, decision in ready:
        assert faults(TOOLS[one.pack][decision.tool], decision.arguments) == {}, told(one, decision)
        assert set(decision.arguments) <= set(TOOLS[one.pack][decision.tool].params), told(one, decision)


def test_every_option_can_be_run_once_it_is_picked(decided):
    for one, decision in decided:
        for option in getattr(decision, "options", ()):
            assert option.tool in TOOLS[one.pack], told(one, decision)
            assert "invalid" not in faults(TOOLS[one.pack][option.tool], option.arguments).values()


def test_the_same_case_gives_the_same_answer_again_and_in_any_order(cases, answers):
    decider = Decider.installed()
    backwards = [decider.decide(one) for one in reversed(cases[::2])]
    assert backwards[::-1] == answers[::2]
    assert [decider.decide(one) for one in cases[::6]] == answers[::6]


def test_a_fresh_decider_gives_the_same_answer(cases, answers):
    for place in random.Random(3).sample(range(len(cases)), 4):
        assert Decider.installed().decide(cases[place]) == answers[place]


def test_every_answer_is_json(cases, answers):
    for one, answer in zip(cases, answers, strict=True):
        if one.message.isprintable():
            assert to_json(answer)


@pytest.mark.parametrize("between", [", ", " and "])
def test_many_names_in_a_row_cost_little(between):
    """Once each further name doubled the time; a fuzzed message found it."""
    message = f"delete {between.join(['milk'] * 14)}{between}the bank"
    DECIDER.decide(case(message, LIST))
    times = []
    for _ in range(3):
        started = time.thread_time()
        DECIDER.decide(case(message, LIST))
        times.append(time.thread_time() - started)
    assert min(times) < 0.05
