"""Rules that are proposed from a trail: only for questions that were answered with yes, and never for what destroys."""

from __future__ import annotations

import json
import stat

import pytest
from behind import NEW
from fronts import connected, in_memory, write
from mcp_types import ElicitResult
from typer.testing import CliRunner

from sayso.cli.gateway.commands import app
from sayso.gateway.rules.tune import Asked, proposals
from sayso.gateway.values import Wanted, Words

ALLOWED = {"effect": "allow", "when": 'args.all(name, name in ["title"]) && args.title in ["Buy milk", "Buy tea"]'}


def asked(entry, arguments, answer=True, tool="send", user="ada"):
    wanted = Wanted(server="one", tool=tool, arguments=arguments, words=Words())
    return Asked(entry, user, wanted, arguments, answer)


def proposed(*calls, risk="write"):
    return proposals(calls, lambda *_: risk, 1)


def when(*values, name="x"):
    found = proposed(*(asked(number, {name: value}) for number, value in enumerate(values)))
    return found[0].rule.when.partition(" && ")[2] if found else None


@pytest.mark.parametrize(
    ("values", "condition"),
    [
        (["a", "a"], 'args.x == "a"'),
        (["a", "b"], 'args.x in ["a", "b"]'),
        (['say "hi"\n', "b"], 'args.x in ["b", "say \\"hi\\"\\n"]'),
        (["/srv/notes/a", "/srv/notes/b/c"], 'under(args.x, "/srv/notes")'),
        ([5, 50.5], "args.x >= 5 && args.x <= 50.5"),
        ([5, 5], "args.x == 5"),
        (["ada@example.org", "Bob@Example.org"], 'lower(args.x).endsWith("@example.org")'),
        (["https://a.org/1", "https://A.org/2"], 'host(args.x) in ["a.org"]'),
        ([True, True], "args.x == true"),
        ([True, False], ""),
        ([f"text {number}" for number in range(6)], ""),
        (["/srv/a", "/etc/b"], None),
        (["/srv/notes/a", "/srv/notes/../../etc/passwd"], None),
        ([{"a": 1}, {"a": 2}], None),
        (["x" * 100, "y"], None),
        ([10**30, 1], None),
        (["[redacted:key:0123456789ab]"] * 2, None),
    ],
)
def test_a_rule_is_as_narrow_as_the_values(values, condition):
    assert when(*values) == condition


def test_an_argument_that_no_confirmed_call_had_is_not_allowed():
    (found,) = proposed(asked(1, {"x": "a"}), asked(2, {"x": "a"}), asked(3, {"x": "a", "force": True}, answer=None))
    assert ([call.entry for call in found.saved], found.others) == ([1, 2], ())


def test_an_argument_that_some_calls_leave_out_may_be_left_out():
    (found,) = proposed(asked(1, {"x": "a"}), asked(2, {}), asked(3, {"x": "b"}, answer=None))
    assert '(!("x" in args) || args.x == "a")' in found.rule.when
    assert [call.entry for call in found.saved] == [1, 2]
    assert found.others == ()


def test_a_rule_that_would_allow_a_declined_call_is_not_proposed():
    assert proposed(asked(1, {"x": 1}), asked(2, {"x": 9}), asked(3, {"x": 5}, answer=False)) == []


def test_other_calls_that_it_would_have_allowed_are_listed():
    (found,) = proposed(asked(1, {"x": 1}), asked(2, {"x": 9}), asked(3, {"x": 5}, answer=None))
    assert [call.entry for call in found.others] == [3]


def test_a_rule_names_the_users_where_there_are_several():
    found = proposed(asked(1, {"x": 1}), asked(2, {"x": 1}), asked(3, {"x": 1}, user="bob", answer=None))
    assert found[0].rule.when.startswith('user in ["ada"] && ')
    assert found[0].others == ()


@pytest.mark.parametrize("risk", ["destructive", "read"])
def test_only_writes_get_a_rule(risk):
    assert proposed(asked(1, {"x": 1}), asked(2, {"x": 1}), risk=risk) == []


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.anyio
async def test_a_proposal_spares_the_questions_once_it_is_written(tmp_path, servers):
    file = write(tmp_path, one=servers["new_stdio"])
    file.chmod(0o600)
    answers = {"Buy milk": True, "Buy tea": True, "Sell the house": False}

    async def call(titles):
        async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
            caller.answer = lambda params: ElicitResult(
                action="accept",
                content={"answer": next(yes for title, yes in answers.items() if title in params.message)},
            )
            for title in titles:
                await caller.call("add_task", {"title": title})
            for number in (1, 2):
                await caller.call("delete_task", {"task_identifier": f"t{number}"}) if len(titles) > 3 else None
            return len(caller.asked)

    answers |= {"t1": True, "t2": True}
    assert await call(["Buy milk", "Buy tea", "Sell the house", "Buy milk"]) == 6
    printed = run(file, "tune")
    assert "one.add_task: 3 of 4 questions spared" in printed
    pasted = json.loads(printed[printed.index("{\n") :])
    assert pasted == {"mcpServers": {"one": {"sayso": {"tools": {"add_task": {"rules": [ALLOWED]}}}}}}
    assert '"rules"' not in file.read_text()
    assert "No rule to propose" in run(file, "tune", "--least", "4")
    run(file, "tune", "--write", answer="n\n", code=1)
    assert '"rules"' not in file.read_text()
    shown = run(file, "tune", "--write", "--yes")
    assert '"rules": [' in shown
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert await call(["Buy milk", "Buy tea", "Sell the house"]) == 1


def run(file, *arguments, answer=None, code=0):
    done = CliRunner().invoke(app, [*arguments, "--config", str(file)], input=answer)
    assert done.exit_code == code, done.output
    return done.output
