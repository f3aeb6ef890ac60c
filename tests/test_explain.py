"""`sayso explain` shows what each step saw."""

from __future__ import annotations

from typer.testing import CliRunner

from sayso.cli.main import app


def explain(*arguments):
    found = CliRunner().invoke(app, ["explain", *arguments])
    assert found.exit_code == 0, found.output
    return found.output


def test_the_steps_are_shown_in_order():
    text = explain("creat a tsk to call Bob tomorrow", "--now", "2026-03-10T09:00+01:00")
    places = [text.index(step) for step in ("words", "values", "clause 1", "decision")]
    assert places == sorted(places)


def test_a_mended_slip_a_date_and_the_chosen_act_are_said():
    text = explain("creat a tsk to call Bob tomorrow", "--now", "2026-03-10T09:00+01:00")
    assert "read as create" in text
    assert "due: 2026-03-11" in text
    assert "→ add (add_task)" in text


def test_what_a_pronoun_points_at_is_said(root):
    text = explain("mark it as done", "--case", str(root / "examples" / "mark-it-done.json"))
    assert "in focus: Water the plants" in text
    assert '"it" → Water the plants' in text


def test_a_message_that_nothing_fits_is_said_to_fit_nothing():
    assert "no sentence of the pack matches" in explain("colourless green ideas sleep furiously")
