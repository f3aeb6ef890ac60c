"""Rules of the operator, over real servers: what they allow, ask about and deny, and what they cannot allow."""

from __future__ import annotations

import json
import time
from functools import partial

import anyio
import httpx2
import pytest
from behind import NEW, OLD
from fronts import at, connected, in_memory, over_http, write
from mcp_types import ElicitResult
from typer.testing import CliRunner

from sayso.cli.gateway.commands import app as gateway_app
from sayso.cli.trail.commands import app as trail
from sayso.errors import BadData
from sayso.gateway.rules import reload

pytestmark = pytest.mark.anyio
ADDING = ("add_task", {"title": "Buy milk"})


def ruled(server, rules=(), tools=None, **more):
    """The same server, with rules for all of its tools or for some."""
    told = server["sayso"]
    merged = {name: dict(each) for name, each in told["tools"].items()}
    for name, each in (tools or {}).items():
        merged.setdefault(name, {})["rules"] = each
    return server | {"sayso": told | {"rules": list(rules), "tools": merged} | more}


def entries(file):
    lines = (file.parent / "gateway.sayso" / "trail.jsonl").read_text().splitlines()
    return [(entry["kind"], json.loads(entry["body"])) for entry in map(json.loads, lines)]


def wait_for(url, figure):
    """Until the gateway, which another thread serves, counts this."""
    deadline = time.monotonic() + 10
    while f"sayso_gateway_{figure}" not in httpx2.get(url.replace("/mcp", "/metrics")).text:
        assert time.monotonic() < deadline, figure
        time.sleep(0.02)


def yes(_params):
    return ElicitResult(action="accept", content={"answer": True})


@pytest.mark.parametrize(("kind", "era"), [("new_stdio", NEW), ("old_stdio", OLD)])
async def test_a_write_that_a_rule_allows_runs_without_a_question(tmp_path, servers, ran, kind, era):
    rules = {"add_task": [{"effect": "allow", "when": 'args.title.startsWith("Buy ")'}]}
    file = write(tmp_path, one=ruled(servers[kind], tools=rules))
    async with in_memory(file) as gateway, connected(gateway, era) as caller:
        assert not (await caller.call(*ADDING)).is_error
        caller.answer = yes
        await caller.call("add_task", {"title": "Sell milk"})
    assert ran() == [("add_task", {"title": "Buy milk"}), ("add_task", {"title": "Sell milk"})]
    assert len(caller.asked) == 1
    judged = [body for entry, body in entries(file) if entry == "judged"]
    assert judged[0]["rule"]["key"] == "mcpServers.one.sayso.tools.add_task.rules[0]"
    assert "rule" not in judged[1]


async def test_no_rule_spares_the_yes_for_a_destructive_call(tmp_path, servers, ran):
    rules = {"delete_task": [{"effect": "allow"}]}
    file = write(tmp_path, one=ruled(servers["new_stdio"], [{"effect": "allow"}], rules))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: ElicitResult(action="decline")
        refused = await caller.call("delete_task", {"task_identifier": "t1"}, "delete the task Call mom")
    assert refused.structured_content["status"] == "declined"
    assert len(caller.asked) == 1
    assert ran() == []


async def test_what_a_rule_denies_is_refused_whatever_words_and_other_rules_say(tmp_path, servers, ran):
    rules = [{"effect": "allow"}, {"effect": "deny", "when": 'args.title == "Buy milk"', "why": "No milk."}]
    file = write(tmp_path, one=ruled(servers["new_stdio"], tools={"add_task": rules}))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        refused = await caller.call(*ADDING, "add the task Buy milk")
    assert refused.structured_content["status"] == "denied"
    assert refused.structured_content["message"].endswith("No milk.")
    assert (caller.asked, ran()) == ([], [])


async def test_a_rule_can_ask_about_a_read(tmp_path, servers, ran):
    file = write(tmp_path, one=ruled(servers["new_stdio"], [{"effect": "ask", "when": 'risk == "read"'}]))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: ElicitResult(action="decline")
        assert (await caller.call("wait", {"seconds": 0})).is_error
        assert ran() == []
        caller.answer = yes
        assert not (await caller.call("wait", {"seconds": 0})).is_error
    assert ran()[-1] == ("wait", {"seconds": 0})


@pytest.mark.parametrize("effect", ["ask", "deny", "allow"])
async def test_a_rule_that_cannot_be_evaluated_fails_closed(tmp_path, servers, effect):
    rules = {"add_task": [{"effect": effect, "when": 'args.priority == "high"'}]}
    file = write(tmp_path, one=ruled(servers["new_stdio"], tools=rules))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        caller.answer = lambda _params: ElicitResult(action="decline")
        refused = await caller.call(*ADDING)  # no words, and no priority
    assert refused.structured_content["status"] == ("denied" if effect == "deny" else "declined")


async def test_rules_hold_on_the_short_way_too(tmp_path, servers, ran):
    file = write(tmp_path, one=ruled(servers["new_http"], [{"effect": "deny", "when": "has(args.limit)"}]))
    async with over_http(file, sessions=False) as url, connected(at(url), NEW) as caller:
        for _ in range(3):
            assert not (await caller.call("list_tasks", {})).is_error
            refused = await caller.call("list_tasks", {"limit": 3})
            assert refused.structured_content["status"] == "denied"
    assert ran() == []


async def test_rules_see_the_arguments_that_run_and_who_calls(tmp_path, servers, ran):
    conditions = ['args.title == "Buy milk"', 'tool == "add_task"', 'server == "one"', 'risk == "write"']
    conditions += ['user == "ada"', 'words.text == "add the task buy milk"', 'words.source == "client"']
    rules = [{"effect": "deny", "when": f"!({each})"} for each in conditions]
    file = write(tmp_path, one=ruled(servers["new_stdio"], tools={"add_task": rules}))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        assert not (await caller.call(*ADDING, "add the task buy milk")).is_error
    assert ran() == [("add_task", {"title": "Buy milk"})]


async def test_a_yes_does_not_lift_what_a_rule_denies_meanwhile(tmp_path, servers, ran, monkeypatch):
    monkeypatch.setattr(reload, "EVERY", 0.02)
    file = write(tmp_path, one=servers["new_http"])

    def deny_then_agree(params):
        write(tmp_path, one=ruled(servers["new_http"], tools={"add_task": [{"effect": "deny"}]}))
        wait_for(url, 'reloads_total{result="ok"} 1')
        return yes(params)

    async with over_http(file, sessions=False) as url, connected(at(url), NEW) as caller:
        caller.answer = deny_then_agree
        refused = await caller.call(*ADDING)
    assert refused.structured_content["status"] == "denied"
    assert ran() == []
    changes = [body for kind, body in entries(file) if kind == "rules"]
    assert [(each["what"], list(each["rules"])) for each in changes] == [
        ("changed", ["mcpServers.one.sayso.tools.add_task.rules[0]"])
    ]


async def test_a_file_with_an_error_leaves_the_rules_as_they_are(tmp_path, servers, monkeypatch):
    monkeypatch.setattr(reload, "EVERY", 0.02)
    denying = ruled(servers["new_http"], [{"effect": "deny"}])
    file = write(tmp_path, one=denying)
    wrong = json.dumps({"mcpServers": {"one": ruled(denying, [{"effect": "deny", "when": "1 +"}])}})
    async with over_http(file, sessions=False) as url, connected(at(url), NEW) as caller:
        await caller.call("list_tasks")
        for number, bad in enumerate(("{", None, wrong), 1):
            file.unlink() if bad is None else file.write_text(bad)
            wait_for(url, f'reloads_total{{result="failed"}} {number}')
            refused = await caller.call("list_tasks")
            assert refused.structured_content["status"] == "denied"
        write(tmp_path, one=servers["new_http"])
        wait_for(url, 'reloads_total{result="ok"} 1')
        assert not (await caller.call("list_tasks")).is_error


async def test_shadow_mode_records_verdicts_and_stops_nothing(tmp_path, servers, ran, caplog):
    rules = {"add_task": [{"effect": "deny"}]}
    file = write(tmp_path, one=ruled(servers["new_stdio"], tools=rules, shadow=True))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        assert not (await caller.call(*ADDING)).is_error
        assert not (await caller.call("delete_task", {"task_identifier": "t1"})).is_error
        assert (await caller.call("no_such_tool")).structured_content["status"] == "held_back"
    assert ran() == [("add_task", {"title": "Buy milk"}), ("delete_task", {"task_identifier": "t1"})]
    assert caller.asked == []
    assert "SHADOW MODE" in caplog.text
    found = entries(file)
    assert found[0] == ("rules", {"what": "started", "rules": found[0][1]["rules"], "shadow": ["one"]})
    judged = [body for kind, body in found if kind == "judged"]
    assert [(next(iter(body["verdict"])), body["shadow"]) for body in judged] == [("refuse", True), ("ask", True)]
    told = CliRunner().invoke(trail, ["list", "--config", str(file)]).output
    assert "SHADOW MODE for one: nothing is stopped" in told
    assert told.count("(shadow mode: forwarded anyway)") == 2
    assert (
        CliRunner().invoke(trail, ["replay", "--config", str(file)]).output.startswith("2 calls are decided the same")
    )


async def test_the_gateway_does_not_start_with_a_rule_about_a_tool_that_does_not_exist(tmp_path, servers):
    file = write(tmp_path, one=servers["new_stdio"])
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        await caller.call("list_tasks")  # pins them
    write(tmp_path, one=ruled(servers["new_stdio"], tools={"ad_task": [{"effect": "deny"}]}))
    with pytest.raises(BadData, match='did you mean "add_task"'):
        async with in_memory(file):
            pass
    review = partial(CliRunner().invoke, gateway_app, ["review", "--config", str(file)])
    reviewed = await anyio.to_thread.run_sync(review)  # it runs a loop of its own
    assert reviewed.exit_code == 1
    assert 'one has no tool ad_task; did you mean "add_task"?' in reviewed.output


async def test_shadow_mode_begins_with_a_restart_only_and_ends_at_once(tmp_path, servers, ran, monkeypatch):
    monkeypatch.setattr(reload, "EVERY", 0.02)
    plain, watched = servers["new_http"], ruled(servers["new_http"], shadow=True)
    file = write(tmp_path, one=plain)
    async with over_http(file, sessions=False) as url, connected(at(url), NEW, mute=True) as caller:
        await caller.call("list_tasks")
        write(tmp_path, one=watched)
        wait_for(url, 'reloads_total{result="ok"} 1')
        assert (await caller.call(*ADDING)).structured_content["status"] == "needs_confirmation"
    async with over_http(file, sessions=False) as url, connected(at(url), NEW, mute=True) as caller:
        assert not (await caller.call(*ADDING)).is_error
        write(tmp_path, one=plain)
        wait_for(url, 'reloads_total{result="ok"} 1')
        assert (await caller.call(*ADDING)).structured_content["status"] == "needs_confirmation"
    assert len(ran()) == 1
