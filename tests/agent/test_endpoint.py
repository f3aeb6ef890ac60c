"""The agent over HTTP, against a stub that fails in every way: None, in time, and never an exception."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest
from asking import KEY, TOOLS, Judge, put

from benchmarks.harness.stub_model import (
    StubModel,
    calls,
    completion,
    cuts_off,
    drips,
    fails,
    hangs,
    hangs_up,
    says,
    sends,
)
from sayso.agent.configured import agent_from
from sayso.agent.endpoint import MOST_BYTES, open_agent
from sayso.errors import BadSetting, MissingExtra
from sayso.settings import Settings, read_settings

pytestmark = pytest.mark.anyio

DEADLINE = 1.0
NEEDED = {
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
}
FAILURES = {
    "429": fails(429),
    "429 and come back later": fails(429, {"retry-after": "30"}),
    "500": fails(500),
    "503": fails(503),
    "401": fails(401),
    "no such model": fails(404),
    "redirect": fails(307, {"location": "http://127.0.0.1:9/v1/chat/completions"}),
    "silence": hangs(3),
    "drip": drips(3),
    "cut off": cuts_off,
    "hung up": hangs_up,
    "broken JSON": sends(b'{"id": "c1", "choices": [{'),
    "no JSON": sends(b"<html>Bad gateway</html>", headers={"content-type": "text/html"}),
    "no text": sends(b"\xff\xfe\x00"),
    "empty body": sends(b""),
    "null": sends(b"null"),
    "a list": sends(b"[]"),
    "no choices": sends(b'{"id": "c1", "object": "chat.completion", "choices": []}'),
    "an error as an answer": sends(b'{"error": {"message": "overloaded"}}'),
    "choices of another shape": sends(b'{"choices": [{"message": "hello"}]}'),
    "endless depth": sends(b"[" * 200_000),
    "endless body": sends(b" " * (MOST_BYTES + 1)),
    "packed body": sends(b"\x1f\x8b\x08\x00", headers={"content-encoding": "gzip"}),
    "empty answer": says(""),
    "no answer": says(None),
    "endless answer": says("a" * 4_001),
    "refusal": sends(completion({"content": None, "refusal": "I cannot."})),
    "unknown tool": calls(("drop_database", {})),
    "broken arguments": calls(("add_task", '{"title": "mi')),
    "endless calls": calls(("list_tasks", {})),
    "call of another kind": sends(
        completion(
            {"content": None, "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "x", "input": ""}}]}
        )
    ),
    "call without a name": sends(
        completion({"content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"arguments": "{}"}}]})
    ),
}


async def test_a_good_endpoint_is_heard(reach, judge):
    with StubModel([calls(("add_task", {"title": "milk"})), says("It is on your list.")]) as stub:
        answered = await reach(stub.url, judge, message="put milk on it")
    assert answered.text == "It is on your list."
    assert judge.calls == [("add_task", {"title": "milk"})]
    first, second = stub.asked
    assert first.path == "/v1/chat/completions"
    assert first.body["model"] == "stub"
    assert first.body["messages"][-1] == {"role": "user", "content": "put milk on it"}
    assert [tool["function"]["name"] for tool in first.body["tools"]] == [shape.name for shape in TOOLS]
    assert second.body["messages"][-1]["role"] == "tool"
    assert second.body["messages"][-1]["content"] == "<data>\nok\n</data>"


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failing_endpoint_gives_none_in_time(reach, judge, name):
    with StubModel([FAILURES[name]]) as stub:
        answered = await reach(stub.url, judge, deadline=DEADLINE)
    assert answered.text is None
    assert answered.took < DEADLINE + 0.5
    assert {tool for tool, _ in judge.calls} <= {"list_tasks"}


@pytest.mark.parametrize("name", FAILURES)
async def test_an_endpoint_that_fails_after_a_call_gives_none_in_time(reach, judge, name):
    with StubModel([calls(("add_task", {"title": "milk"})), FAILURES[name]]) as stub:
        answered = await reach(stub.url, judge, deadline=DEADLINE)
    assert answered.text is None
    assert answered.took < DEADLINE + 0.5
    assert judge.calls[0] == ("add_task", {"title": "milk"})


async def test_nobody_there_gives_none(reach, judge):
    with StubModel([says("Hello.")]) as stub:
        url = stub.url
    answered = await reach(url, judge, deadline=DEADLINE)
    assert answered.text is None
    assert answered.took < DEADLINE + 0.5


async def test_a_stop_asks_the_endpoint_no_further(reach):
    with StubModel([calls(("add_task", {"title": "milk"})), says("Added.")]) as stub:
        answered = await reach(stub.url, Judge(stop_at=1))
    assert answered.text == ""
    assert len(stub.asked) == 1


async def test_many_can_ask_at_once_and_each_hears_their_own():
    with StubModel([hangs_then_calls]) as stub:
        agent = open_agent(Settings(model_base_url=stub.url, model="stub"))
        judges = [Judge(stop_at=1) for _ in range(40)]
        answers = await asyncio.gather(*(put(agent, each, message=f"m{n}") for n, each in enumerate(judges)))
        await agent.close()
    assert {answered.text for answered in answers} == {""}
    assert [each.calls for each in judges] == [[("add_task", {"title": f"m{n}"})] for n in range(40)]


def hangs_then_calls(handler):
    """Adds what the person said, a little later."""
    time.sleep(0.05)
    calls(("add_task", {"title": handler.said["messages"][-1]["content"]}))(handler)


async def test_only_the_endpoint_is_spoken_to_and_only_with_our_key(reach, judge, monkeypatch):
    with StubModel([says("I am no proxy of yours.")]) as trap, StubModel([says("Hello.")]) as stub:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy", "OPENAI_BASE_URL"):
            monkeypatch.setenv(name, trap.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
        monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer of-somebody-else\nX-More: else")
        assert (await reach(stub.url, judge)).text == "Hello."
    assert trap.asked == []
    (asked,) = stub.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert "else" not in str(asked.headers)
    assert set(asked.headers) <= NEEDED


async def test_without_a_key_none_is_sent(judge, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with StubModel([says("Hello.")]) as stub:
        agent = open_agent(Settings(model_base_url=stub.url, model="stub"))
        await agent.answer(prompt="", history=[], message="hello", tools=TOOLS, judge=judge, deadline=2)
        await agent.close()
    assert "authorization" not in stub.asked[0].headers


@pytest.mark.parametrize("name", ["429", "401", "broken JSON", "hung up", "unknown tool", "broken arguments", "drip"])
async def test_neither_the_key_nor_what_was_said_reaches_a_log(reach, judge, caplog, name):
    caplog.set_level(logging.DEBUG)
    with StubModel([FAILURES[name]]) as stub:
        await reach(stub.url, judge, message="my secret is xyzzy", deadline=DEADLINE)
    assert "the model gave no answer: " in caplog.text
    assert KEY not in caplog.text
    ours = [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert not any("xyzzy" in line for line in ours)


def test_the_key_is_not_shown_with_the_settings():
    settings = Settings(model_base_url="https://models.example.org/v1", model="m", model_api_key=KEY)
    assert KEY not in repr(settings)
    assert KEY not in str(settings.model_dump())


@pytest.mark.parametrize("given", [{}, {"model": "m"}, {"model_base_url": "https://models.example.org/v1"}])
def test_there_is_no_model_unless_both_are_named(given):
    assert agent_from(Settings(**given)) is None


async def test_the_settings_name_a_model():
    agent = agent_from(Settings(model_base_url="https://models.example.org/v1", model="m"))
    assert agent is not None
    await agent.close()


def test_without_the_sdk_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sayso.agent.endpoint", None)
    with pytest.raises(MissingExtra, match=r"sayso\[agent\]"):
        agent_from(Settings(model_base_url="https://models.example.org/v1", model="m"))


@pytest.mark.parametrize(
    ("url", "env", "works"),
    [
        ("https://models.example.org/v1", "production", True),
        ("http://127.0.0.1:11434/v1", "production", True),
        ("http://localhost:8080/v1", "production", True),
        ("http://[::1]:8080/v1", "production", True),
        ("http://models.example.org/v1", "production", False),
        ("http://127.0.0.1.example.org/v1", "production", False),
        ("http://10.0.0.7:8000/v1", "production", False),
        ("http://10.0.0.7:8000/v1", "development", True),
        ("ftp://models.example.org/v1", "development", False),
        ("models.example.org/v1", "development", False),
        ("https://ada:secret@models.example.org/v1", "development", False),
        ("https://models.example.org/v1?key=secret", "development", False),
        ("https://[models/v1", "development", False),
        ("https://models.example.org:99999/v1", "development", False),
    ],
)
def test_an_endpoint_is_encrypted_or_on_this_machine(monkeypatch, url, env, works):
    monkeypatch.setenv("SAYSO_ENV", env)
    monkeypatch.setenv("SAYSO_MODEL_BASE_URL", url)
    if works:
        assert read_settings().model_base_url == url
        return
    with pytest.raises(BadSetting, match="SAYSO_MODEL_BASE_URL") as refused:
        read_settings()
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("seconds", ["0", "-1", "121", "nan", "soon"])
def test_a_deadline_is_a_number_of_seconds(monkeypatch, seconds):
    monkeypatch.setenv("SAYSO_MODEL_DEADLINE", seconds)
    with pytest.raises(BadSetting, match="SAYSO_MODEL_DEADLINE"):
        read_settings()
