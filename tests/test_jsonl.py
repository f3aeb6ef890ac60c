"""`sayso decide --jsonl`: one answer a line, in order, at once, and no line stops the run."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO

import pytest

from sayso.cli.decisions.jsonl import case_id, run
from sayso.decider import Decider

COMMAND = [sys.executable, "-m", "sayso.cli", "decide", "--jsonl"]
SOUND = {"message": "show my tasks", "now": "2026-03-10T09:00:00+01:00"}


@pytest.fixture(scope="module")
def decider():
    return Decider.installed()


def answers(decider, *lines):
    out = BytesIO()
    status = run(decider, BytesIO(b"\n".join(lines)), out)
    return status, [json.loads(line) for line in out.getvalue().split(b"\n") if line]


def case(identity, **more):
    return json.dumps(SOUND | {"id": identity} | more).encode()


def test_answers_come_in_order_with_their_ids(decider):
    status, found = answers(decider, *(case(f"case-{number}") for number in range(50)))
    assert status == 0
    assert [answer["id"] for answer in found] == [f"case-{number}" for number in range(50)]
    assert all(answer["decisions"] for answer in found)


def test_a_malformed_line_answers_an_error_and_the_run_goes_on(decider):
    status, found = answers(decider, case("a"), b'{"id": "b", "message": 7}', b"not JSON", case("c"))
    assert status == 0
    assert [answer["id"] for answer in found] == ["a", "b", None, "c"]
    assert ["error" in answer for answer in found] == [False, True, True, False]
    assert "$.message" in found[1]["error"]


def test_a_pack_that_nobody_installed_is_an_error(decider):
    _, found = answers(decider, case("a", pack="no-such-pack"), case("b"))
    assert "no-such-pack" in found[0]["error"]
    assert "decisions" in found[1]


class Faulty(Decider):
    """Fails on one message, as only a bug would."""

    def run(self, case, index=None):
        if case.message == "fail":
            raise ZeroDivisionError("a bug")
        return super().run(case, index)


def test_a_bug_is_reported_with_its_line_and_the_run_goes_on(capsys):
    status, found = answers(Faulty.installed(), case("a", message="fail"), case("b"))
    assert status == 1
    assert found[0] == {"id": "a", "error": "internal error: ZeroDivisionError: a bug"}
    assert "decisions" in found[1]
    assert "Traceback" in capsys.readouterr().err


def test_blank_lines_are_passed_over(decider):
    _, found = answers(decider, b"", case("a"), b"  ", case("b"), b"\r")
    assert [answer["id"] for answer in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "identity"),
    [
        (b'{"id": "x", "message": 7}', "x"),
        (b'{"message": 7, "id": "x"}', "x"),
        (b'{"id": 12}', 12),
        (b'{"id": "x", "message": "cut off', "x"),
        (b'{"id" : "a \\"quoted\\" one", oops', 'a "quoted" one'),
        (b'{"id": "x", "message": "\xff"}', "x"),
        (b'{"id": "\xff"}', None),
        (b'{"id": "x\\q", oops', None),
        (b'{"message": "hi"}', None),
        (b"[1]", None),
        (b'{"id": "x", "deep": ' + b"[" * 100_000, "x"),
    ],
)
def test_the_id_is_recovered_where_it_can_be(line, identity):
    assert case_id(line) == identity


def test_deep_nesting_is_an_error_like_any_other(decider):
    status, found = answers(decider, b'{"id": "deep", "user": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", case("b"))
    assert status == 0
    assert [answer["id"] for answer in found] == ["deep", "b"]
    assert "error" in found[0]


def test_letters_beyond_ascii_and_line_separators_survive(decider):
    _, found = answers(decider, case("è\u2028😀", message="add a task: caffè\u2028😀"), case("b"))
    assert [answer["id"] for answer in found] == ["è\u2028😀", "b"]


def test_each_answer_comes_before_the_next_question():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for identity in ("first", "second", "third"):
            process.stdin.write(case(identity) + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == identity
        process.stdin.close()
        assert process.wait(10) == 0


def test_the_benchmark_runs_through(some_lines):
    feed = b"\n".join(json.dumps(line).encode() for line in some_lines)
    done = subprocess.run(COMMAND, input=feed, capture_output=True, check=True)
    found = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    assert [answer["id"] for answer in found] == [line["id"] for line in some_lines]
    assert done.stderr == b""
