"""Strategies for every value of the decision contract."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import get_args

from hypothesis import strategies as st
from msgspec import UNSET

from sayso.case import Case, Preference, Proposal, Turn
from sayso.decision import (
    Answer,
    Call,
    Clarify,
    ClarifyReason,
    Confirm,
    ConfirmReason,
    Evidence,
    FollowUp,
    Nothing,
    NothingReason,
    Option,
    Source,
)
from sayso.record import Entity, Record

text = st.text(max_size=20)
name = st.text(min_size=1, max_size=10)
probability = st.floats(0, 1)
scalar = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
json_value = st.recursive(
    scalar | text, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=6
)
arguments = st.dictionaries(name, json_value, max_size=4)


def maybe(strategy):
    return st.just(UNSET) | strategy


def several(strategy):
    return st.lists(strategy, max_size=3).map(tuple)


evidence = st.builds(
    Evidence,
    source=st.sampled_from(get_args(Source)),
    entity=maybe(text),
    span=maybe(st.tuples(st.integers(0, 99), st.integers(0, 99))),
)
proofs = st.dictionaries(name, evidence, max_size=3)
option = st.builds(Option, label=text, tool=text, arguments=arguments, confidence=probability)
call = st.builds(Call, tool=text, arguments=arguments, confidence=probability, evidence=proofs)
confirm = st.builds(
    Confirm,
    tool=text,
    arguments=arguments,
    confidence=probability,
    evidence=proofs,
    question=text,
    reason=st.sampled_from(get_args(ConfirmReason)),
)
clarify = st.builds(
    Clarify,
    tool=st.none() | text,
    arguments=arguments,
    missing=several(text),
    confidence=probability,
    question=text,
    options=several(option),
    reason=st.sampled_from(get_args(ClarifyReason)),
)
nothing = st.builds(Nothing, confidence=probability, reason=st.sampled_from(get_args(NothingReason)), reply=maybe(text))
answer = st.builds(
    Answer,
    id=text,
    lang=text,
    decisions=st.lists(call | confirm | clarify | nothing, min_size=1, max_size=3).map(tuple),
    next=maybe(several(st.builds(FollowUp, label=text, tool=text, arguments=arguments))),
)

zone = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moment = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=zone)
entity = st.builds(
    lambda kind, identity, rest: Entity({**rest, "kind": kind, "id": identity}),
    kind=name,
    identity=name,
    rest=arguments,
)
case = st.builds(
    Case,
    message=text,
    now=moment,
    id=text,
    pack=text,
    lang=st.none() | text,
    user=arguments.map(Record),
    entities=several(entity),
    history=several(
        st.builds(Turn, role=st.sampled_from(["user", "assistant"]), content=text, shown=st.none() | several(text))
    ),
    pending=st.none() | confirm | clarify,
    preferences=several(st.builds(Preference, said=text, chose=text, times=st.integers(0, 99))),
    proposed=st.none() | st.builds(Proposal, tool=text, arguments=json_value),
)
