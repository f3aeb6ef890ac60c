"""The model of what more people need: what goes in doubles, what comes out follows; and the page is up to date."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.scale import model, page


@pytest.fixture
def measured():
    return model.Measured(
        server_ms=3.0,
        database_ms=2.0,
        nginx_ms=0.1,
        bouncer_ms=0.2,
        load_ms=0.3,
        stored_bytes=5_000,
        wal_bytes=6_000,
        http_bytes=3_000,
        person_bytes=8_000,
        prompt_characters=8_000,
        reply_characters=80,
    )


def test_a_small_team_needs_two_replicas_and_one_database(measured):
    need = model.need(1_000, measured, model.Assumed())
    assert (need.replicas, need.shards, need.shards_by) == (2, 1, "one is enough")


def test_replicas_follow_the_processor_and_shards_what_runs_out_first(measured):
    given = model.Assumed()
    need = model.need(100_000_000, measured, given)
    peak = 100_000_000 * 0.2 * 10 / 86_400 * 4
    assert need.peak_turns == pytest.approx(peak)
    assert need.replicas == pytest.approx(peak * 3.3e-3 / 0.6 / 4, abs=1)
    assert need.shards_by == "storage"
    assert need.shards == pytest.approx(need.terabytes / 4, abs=1)
    heavy = model.need(100_000_000, replace(measured, database_ms=2_000.0), given)
    assert heavy.shards_by == "processors"


def test_the_cost_of_a_turn_falls_with_scale_and_levels_off(measured):
    costs = [model.need(people, measured, model.Assumed()).dollars_million for people in model.PEOPLE]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(costs[-2], rel=0.05)


def test_reminders_of_the_busiest_minute_need_replicas_and_database_cores():
    need = model.ringing_need(10_000_000, server_ms=4.8, database_ms=3.0, given=model.Assumed())
    assert need.mean == pytest.approx(579, abs=1)
    assert need.peak == pytest.approx(16_667, abs=1)
    assert need.replicas == pytest.approx(16_667 * 4.8e-3 / 0.6 / 4, abs=1)
    assert need.database_cores == pytest.approx(16_667 * 3e-3 / 0.6, abs=1)


def test_twice_the_letters_are_twice_the_tokens_and_dollars(measured):
    given = model.Assumed()
    once, twice = (
        model.model_dollars(measured, given),
        model.model_dollars(replace(measured, prompt_characters=16_000, reply_characters=160), given),
    )
    assert twice == pytest.approx([2 * each for each in once])
    assert model.tokens(measured, given) == (4_000, 40)


@pytest.mark.parametrize(("cores", "times"), [(2, 1.07), (64, 2.0)])
def test_a_second_replica_helps_as_far_as_there_are_cores(measured, cores, times):
    one, two = (model.carries(measured, workers=workers, cores=cores) for workers in (1, 2))
    assert two / one == pytest.approx(times, abs=0.01)


def test_the_page_says_what_was_measured(root):
    results, soak, rung = page.read()
    text = (root / "docs" / "scale.md").read_text(encoding="utf-8")
    assert page.written(text, page.figures(results, soak, rung)) == text, "run `python -m benchmarks scale-page`"
    assert (root / "docs" / "pictures" / "scale.svg").read_text(encoding="utf-8") == page.picture(results)
