"""When a task rings: lead times, mornings, clocks that are put forward and back, and people who travel."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.reminders.clock import quiet_until, ring_at

ROME, NEW_YORK = ZoneInfo("Europe/Rome"), ZoneInfo("America/New_York")
LEADS = st.sampled_from(["PT0S", "PT10M", "PT90M", "PT24H", "P1D", "P1W", "P2DT3H", "P1W2DT30M"])
# The days around both changes of the clock in 2026, in both zones, and any other.
DAYS = st.one_of(
    st.dates(date(2026, 3, 6), date(2026, 3, 10)),
    st.dates(date(2026, 3, 27), date(2026, 4, 1)),
    st.dates(date(2026, 10, 23), date(2026, 10, 28)),
    st.dates(date(2026, 10, 30), date(2026, 11, 3)),
    st.dates(date(2020, 1, 1), date(2035, 12, 31)),
)
TIMES = st.one_of(st.none(), st.builds(time, st.integers(0, 23), st.sampled_from([0, 1, 15, 30, 59])))
ZONES = st.sampled_from(["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])


@pytest.fixture(scope="module")
def database(url):
    with psycopg.connect(url) as connection:
        yield connection


@pytest.mark.parametrize(
    ("due", "remind", "zone", "expected"),
    [
        ("2026-03-12T17:00", "PT0S", ROME, "2026-03-12T16:00"),
        ("2026-03-12T17:00", "PT10M", ROME, "2026-03-12T15:50"),
        ("2026-03-12", "PT0S", ROME, "2026-03-12T08:00"),
        ("2026-03-12", "P1D", ROME, "2026-03-11T08:00"),
        ("2026-03-29T09:00", "P1D", ROME, "2026-03-28T08:00"),  # 23 hours before: the clock is put forward in between
        ("2026-03-29T09:00", "PT24H", ROME, "2026-03-28T07:00"),
        ("2026-03-29T02:30", "PT0S", ROME, "2026-03-29T01:30"),  # 02:30 is left out: it is 03:30
        ("2026-10-25T02:30", "PT0S", ROME, "2026-10-25T00:30"),  # 02:30 comes twice: the first
        ("2026-03-08T02:30", "PT0S", NEW_YORK, "2026-03-08T07:30"),
        ("2026-11-01T01:30", "PT0S", NEW_YORK, "2026-11-01T05:30"),
        ("2026-11-01T09:00", "P1D", NEW_YORK, "2026-10-31T13:00"),
    ],
)
def test_a_task_rings_by_the_clock_on_the_wall(due, remind, zone, expected):
    assert ring_at(due, remind, zone) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("due", "remind"), [(None, "PT0S"), ("2026-03-12", None), ("", "PT0S"), ("2026-03-12", "soon")]
)
def test_nothing_rings_without_a_date_or_a_lead_time(due, remind):
    assert ring_at(due, remind, ROME) is None


@settings(max_examples=300)
@given(day=DAYS, at=TIMES, lead=LEADS, zone=ZONES, morning=st.sampled_from([time(9), time(2, 30), time(6, 45)]))
def test_the_database_computes_the_same_moment(database, day, at, lead, zone, morning):
    due = day.isoformat() if at is None else f"{day.isoformat()}T{at:%H:%M}"
    query = "SELECT sayso.ringing_at(%s::date, %s::time, %s, %s, %s::time)"
    (found,) = database.execute(query, (day, at, lead, zone, morning)).fetchone()
    assert found == ring_at(due, lead, ZoneInfo(zone), morning)


@settings(max_examples=300)
@given(day=DAYS, at=TIMES, zone=ZONES)
def test_a_task_that_is_later_on_the_wall_never_rings_earlier(day, at, zone):
    here = ZoneInfo(zone)
    due = datetime.combine(day, at or time(9))
    first, second = (ring_at(f"{each:%Y-%m-%dT%H:%M}", "PT0S", here) for each in (due, due + timedelta(hours=2)))
    assert first < second


@settings(max_examples=40)
@given(day=DAYS, at=TIMES, lead=LEADS, zones=st.lists(ZONES, min_size=2, max_size=4), morning=st.sampled_from([7, 9]))
def test_the_moment_follows_a_person_from_zone_to_zone(url, day, at, lead, zones, morning):
    who, task = f"traveller-{uuid4().hex}", uuid4()
    due = day.isoformat() if at is None else f"{day.isoformat()}T{at:%H:%M}"
    with psycopg.connect(url) as on:
        on.execute("SELECT set_config('role','sayso_app',true), set_config('app.user_id',%s,true)", (who,))
        on.execute("INSERT INTO sayso.users (user_id, zone, language) VALUES (%s, %s, 'en')", (who, zones[0]))
        on.execute(
            "INSERT INTO sayso.tasks (user_id, id, title, title_key, due_date, due_time, remind) "
            "VALUES (%s, %s, 'x', 'x', %s, %s, %s)",
            (who, task, day, at, lead),
        )
        for zone in zones[1:]:
            on.execute("UPDATE sayso.users SET zone = %s WHERE user_id = %s", (zone, who))
            assert _stored(on, task) == [(ring_at(due, lead, ZoneInfo(zone)),) * 2]
        on.execute("INSERT INTO sayso.reminder_settings (user_id, morning) VALUES (%s, %s)", (who, time(morning)))
        assert _stored(on, task) == [(ring_at(due, lead, ZoneInfo(zones[-1]), time(morning)),) * 2]
        on.rollback()


def _stored(on, task):
    """The moment on the task, and the one in the queue."""
    return on.execute(
        "SELECT t.remind_at, q.remind_at FROM sayso.tasks AS t "
        "JOIN sayso_jobs.reminders_due AS q ON q.user_id = t.user_id AND q.task_id = t.id WHERE t.id = %s",
        (task,),
    ).fetchall()


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-10T21:59", None),
        ("2026-03-10T22:00", "2026-03-11T07:00"),
        ("2026-03-11T06:59", "2026-03-11T07:00"),
        ("2026-03-11T07:00", None),
        ("2026-03-28T23:00", "2026-03-29T07:00"),
    ],
)
def test_quiet_hours_end_in_the_morning(now, expected):
    until = quiet_until(datetime.fromisoformat(now).replace(tzinfo=ROME), ROME, time(22), time(7))
    assert until == (expected and datetime.fromisoformat(expected).replace(tzinfo=ROME).astimezone(UTC))


def test_quiet_hours_may_lie_within_a_day_or_not_be_set():
    noon = datetime(2026, 3, 10, 13, tzinfo=ROME)
    assert quiet_until(noon, ROME, time(12), time(14)) == datetime(2026, 3, 10, 14, tzinfo=ROME)
    assert quiet_until(noon, ROME, None, None) is None
    assert quiet_until(noon, ROME, time(9), time(9)) is None
