"""Rate limits: how often each user may call a tool, counted by all gateways that share a folder."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from behind import NEW, OLD
from fronts import at, behind_stdio, connected, in_memory, over_http, write

from sayso.errors import BadData
from sayso.gateway.config import read_config
from sayso.gateway.limits.rate import Limit, Rates

LIMIT = Limit(3, 60)


@pytest.mark.parametrize(
    ("text", "calls", "seconds"), [("20/minute", 20, 60), ("1/second", 1, 1), ("5/hour", 5, 3600), ("9/day", 9, 86400)]
)
def test_a_limit_is_read(text, calls, seconds):
    assert Limit.parse(text) == (calls, seconds)


@pytest.mark.parametrize("text", ["0/minute", "20", "20/week", "-1/day", "1.5/day", "20 / minute", "1000000/day", ""])
def test_a_limit_that_makes_no_sense_is_an_error_of_the_file(tmp_path, text):
    file = write(tmp_path, one={"command": "x", "sayso": {"tools": {"pay": {"limit": text}}}})
    with pytest.raises(BadData, match=r"tools\[\.\.\.\]\.limit"):
        read_config(file)


def test_in_no_stretch_of_the_unit_more_calls_pass_than_the_limit_says(tmp_path):
    rates = Rates(tmp_path / "limits")
    passed = [now for now in range(0, 400, 7) if rates.take(LIMIT, "ada", "bank", "pay", float(now)) == 0]
    assert passed
    for start in range(400):
        assert sum(start <= each < start + 60 for each in passed) <= 3


def test_it_says_when_to_call_again_and_a_refused_call_does_not_count(tmp_path):
    rates = Rates(tmp_path / "limits")
    assert [rates.take(LIMIT, "ada", "bank", "pay", now) for now in (0.0, 10.0, 20.0)] == [0, 0, 0]
    assert rates.take(LIMIT, "ada", "bank", "pay", 25.5) == 35
    assert rates.take(LIMIT, "ada", "bank", "pay", 59.5) == 1
    assert rates.take(LIMIT, "ada", "bank", "pay", 60.0) == 0


def test_users_servers_and_tools_are_counted_apart(tmp_path):
    rates = Rates(tmp_path / "limits")
    one = Limit(1, 60)
    for who in (("ada", "bank", "pay"), ("bob", "bank", "pay"), ("ada", "shop", "pay"), ("ada", "bank", "list")):
        assert rates.take(one, *who, 0.0) == 0
        assert rates.take(one, *who, 1.0) == 59


def test_a_file_that_makes_no_sense_counts_as_full(tmp_path):
    rates = Rates(tmp_path / "limits")
    rates.take(LIMIT, "ada", "bank", "pay", 0.0)
    (file,) = (tmp_path / "limits").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    file.write_text('["never"]')
    assert rates.take(LIMIT, "ada", "bank", "pay", 1.0) == 60
    assert rates.take(LIMIT, "ada", "bank", "pay", 2.0) == 59
    assert rates.take(LIMIT, "ada", "bank", "pay", 61.0) == 0


def test_a_clock_that_is_set_back_neither_frees_nor_blocks_for_longer_than_the_unit(tmp_path):
    rates = Rates(tmp_path / "limits")
    for _ in range(3):
        rates.take(LIMIT, "ada", "bank", "pay", 1_000.0)
    assert rates.take(LIMIT, "ada", "bank", "pay", 500.0) == 60


def _take(folder):
    rates = Rates(folder)
    return sum(rates.take(Limit(10, 60), "ada", "bank", "pay", 0.0) == 0 for _ in range(10))


def test_gateways_that_share_a_folder_count_together(tmp_path):
    with ThreadPoolExecutor(4) as pool:  # each opens and locks the file by itself, as a process does
        assert sum(pool.map(_take, [tmp_path] * 4)) == 10


@pytest.mark.anyio
async def test_the_gateway_refuses_and_says_when_to_call_again(tmp_path, log, ran):
    limited = {"tools": {"wait": {"risk": "read", "limit": "2/hour"}}}
    file = write(tmp_path, one=behind_stdio(OLD, log, **limited))
    async with in_memory(file) as gateway, connected(gateway, NEW) as caller:
        assert [(await caller.call("wait", {"seconds": 0})).is_error for _ in range(2)] == [False, False]
        refused = await caller.call("wait", {"seconds": 0})
        told = refused.structured_content
        assert (refused.is_error, told["status"]) == (True, "rate_limited")
        assert 3_500 < told["retry_after"] <= 3_600
        assert str(told["retry_after"]) in told["message"]
        assert not (await caller.call("list_tasks")).is_error  # another tool
    assert [call[0] for call in ran()].count("wait") == 2
    entries = [json.loads(line) for line in (tmp_path / "gateway.sayso" / "trail.jsonl").read_text().splitlines()]
    refusals = [json.loads(each["body"]) for each in entries if each["kind"] == "refusal"]
    assert [each["status"] for each in refusals] == ["rate_limited"]


@pytest.mark.anyio
async def test_the_fast_path_keeps_the_limit(tmp_path, servers):
    limited = {"pack": "tasks", "tools": {"list_tasks": {"limit": "3/hour"}}}
    file = write(tmp_path, one=servers["new_http"] | {"sayso": limited})
    async with over_http(file, sessions=False) as url, connected(at(url), NEW) as caller:
        assert [(await caller.call("list_tasks")).is_error for _ in range(5)] == [False] * 3 + [True] * 2
