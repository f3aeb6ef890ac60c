"""Reads the due date, repeat and lead time of a call, or raises Refused."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from sayso.tasks.timing.due import Due, read_due
from sayso.tasks.timing.remind import read_remind
from sayso.tasks.timing.repeat import Repeat, read_repeat
from sayso.tasks.values import AddTask, UpdateTask

Given = str | UnsetType | None
AT_ITS_TIME = "PT0S"  # the default lead time when a task gets a due time; null means no reminder


class Refused(Exception):
    """A value cannot be read. `message` is the name of the error text."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.message, self.text = message, text


class Fields(NamedTuple):
    """The fields that were read, in their stored form."""

    due: Due = Due()
    repeat: str | None = None
    remind: str | None = None


def fields_of_new(given: AddTask, now: datetime, zone: tzinfo) -> Fields:
    """The fields of a task to be added, or Refused. `now` is the user's wall clock."""
    due, remind = (UNSET if each is None else each for each in (given.due, given.remind))
    return _read(due, given.repeat, remind, Fields(), now, zone)


def fields_of_change(given: UpdateTask, before: Fields, now: datetime, zone: tzinfo) -> Fields:
    """The fields of a task as the change leaves them, or Refused."""
    return _read(given.new_due, given.new_repeat, given.new_remind, before, now, zone)


def _read(due: Given, repeat: Given, remind: Given, before: Fields, now: datetime, zone: tzinfo) -> Fields:
    rule = UNSET if repeat is UNSET else _rule(repeat, zone)
    found = Fields(
        due=before.due if due is UNSET else _due(due, zone),
        repeat=before.repeat if rule is UNSET else str(rule) if rule else None,
        remind=before.remind if remind is UNSET else _lead(remind),
    )
    if isinstance(rule, Repeat) and due is UNSET and found.due.day is None:
        found = found._replace(due=rule.first(now.date()))
    if remind is UNSET and found.due.time and not before.due.time and not before.remind:
        return found._replace(remind=AT_ITS_TIME)
    return found


def _due(text: str | None, zone: tzinfo) -> Due:
    try:
        return read_due(text, zone)
    except ValueError as problem:
        raise Refused("due_unreadable", text or "") from problem


def _rule(text: str | None, zone: tzinfo) -> Repeat | None:
    try:
        return read_repeat(text, zone)
    except ValueError as problem:
        raise Refused("repeat_unreadable", text or "") from problem


def _lead(text: str | None) -> str | None:
    try:
        return read_remind(text)
    except ValueError as problem:
        raise Refused("remind_unreadable", text or "") from problem
