"""What measure.py measures without a database: deciding with more tools and languages, and a gateway's list of tools.

The tools are made up: verbs that people have words for, before things that nobody has. What is decided is one sentence
about one of them; what a model proposes is the same call. Languages beyond the second are copies of it, under tags of
their own: they cost what a language costs, and understand what it does.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from mcp import Client

from benchmarks.gateway.cost import HERE, gateway, start
from benchmarks.harness.services import free_port
from benchmarks.scale.stack import processor, resident
from benchmarks.speed.turns_load import MESSAGES
from sayso.agent.words import conversation, instructions
from sayso.case import Case, Proposal, Turn
from sayso.decider import Decider
from sayso.engine.pack_languages import PackLanguage, PackLanguages
from sayso.languages.load import telling_words
from sayso.ledger.turns import TURNS
from sayso.packs.answers import load_answers
from sayso.packs.draft.catalogue import read_catalogue
from sayso.packs.draft.guess import guess
from sayso.packs.draft.write import save, write
from sayso.packs.load import LoadedPack, load_pack, pack_folder
from sayso.tasks.definitions import tools

TOOLS = (6, 20, 100, 500, 2_000)
LANGUAGES = (1, 2, 4, 8)
VERBS = ("list", "get", "create", "update", "delete")
NOW = datetime(2030, 3, 12, 9, tzinfo=UTC)
SENTENCES = (
    "add a task to water the ferns on Friday",
    "show my tasks",
    "delete the report task",
    "mark call the bank as done",
    "move the dentist to next Monday at 5pm",
)

Point = dict[str, Any]


def noun(number: int) -> str:
    """A thing of which nobody has heard."""
    first, second = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r"), ("a", "e", "i", "o", "u")
    letters = ""
    for place in range(3):
        letters += first[number // (50**place) % 50 % 10] + second[number // (50**place) % 50 // 10]
    return letters + "x"


def catalogue(count: int) -> str:
    """What a server with so many tools lists."""
    tools = []
    for number in range(count):
        verb, thing = VERBS[number % len(VERBS)], noun(number // len(VERBS))
        properties: dict[str, Any] = {"name": {"type": "string", "description": f"The name of the {thing}."}}
        if verb == "list":
            properties = {"limit": {"type": "integer"}}
        schema = {"type": "object", "properties": properties, "required": [] if verb == "list" else ["name"]}
        hints = {"readOnlyHint": verb in ("list", "get"), "destructiveHint": verb == "delete"}
        description = f"{verb.capitalize()} a {thing}."
        tools.append(
            {"name": f"{verb}_{thing}", "description": description, "inputSchema": schema, "annotations": hints}
        )
    return json.dumps({"tools": tools})


def _held() -> float:
    """Megabytes that this process holds."""
    gc.collect()
    return resident(os.getpid()) / 1024


def timed(ways: dict[Any, Callable[[], Any]], rounds: int) -> dict[Any, list[float]]:
    """Milliseconds of the processor of each, all in every round, in random order."""
    found: dict[Any, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 5):
        for name in random.sample(list(ways), len(ways)):
            began = time.thread_time()
            ways[name]()
            if number >= 5:
                found[name].append((time.thread_time() - began) * 1000)
    return found


def points(found: dict[Any, list[float]], more: dict[Any, Point] | None = None) -> list[Point]:
    """p50 and p95 of each size, and how many times those of the smallest they are."""
    table = []
    for size, took in found.items():
        parts = quantiles(took, n=100)
        table.append(
            {"size": size, "p50": round(parts[49], 3), "p95": round(parts[94], 3)} | (more or {}).get(size, {})
        )
    for point in table:
        point["times"] = {name: round(point[name] / table[0][name], 2) for name in ("p50", "p95")}
    return table


def by_tools(*, most: int, rounds: int) -> dict[str, Any]:
    """Words, and a proposed call, with packs of so many tools; and the gateway's list of them."""
    sizes = [size for size in TOOLS if size <= most]
    words: dict[Any, Callable[[], Any]] = {}
    proposals: dict[Any, Callable[[], Any]] = {}
    made: dict[Any, Point] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            listed, pack = catalogue(size), Path(folder) / f"pack{size}"
            held, began = _held(), time.perf_counter()
            save(write(guess(read_catalogue(listed, "tools"), trusted=True), pack.name), pack)
            decider = Decider.installed(pack)
            case = Case(message=f'create a {noun(0)} called "lamp"', now=NOW, pack=pack.name, lang="en")
            answer = decider.decide(case)
            decided = [getattr(one, "tool", None) for one in answer.decisions]
            made[size] = {
                "ready_s": round(time.perf_counter() - began, 2),
                "memory_mb": round(_held() - held, 1),
                "understood": decided == [f"create_{noun(0)}"],
            }
            words[size] = lambda decider=decider, case=case: decider.decide(case)
            bare = Decider.installed()
            bare.add_tools("server", listed, trusted=True)
            proposal = Proposal(tool=f"create_{noun(0)}", arguments={"name": "lamp"})
            proposed = Case(message="make one called lamp", now=NOW, pack="server", proposed=proposal)
            bare.decide(proposed)
            proposals[size] = lambda bare=bare, proposed=proposed: bare.decide(proposed)
        found = {"words": points(timed(words, rounds), made), "proposals": points(timed(proposals, rounds))}
    return found | {"gateway": listing(sizes, max(20, rounds // 10))}


def listing(sizes: Sequence[int], rounds: int) -> list[Point]:
    """tools/list through gateways before servers with so many tools: how long, and how many bytes it is."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        fronts: dict[int, tuple[int, int]] = {}
        for size in sizes:
            upstream, front = free_port(), free_port()
            config = folder / f"{size}.json"
            server = {"url": f"http://127.0.0.1:{upstream}/mcp", "sayso": {"trusted": True}}
            config.write_text(json.dumps({"mcpServers": {"upstream": server}}))
            for begin in (
                lambda: start(upstream, HERE / "reader.py", str(upstream), str(size)),  # noqa: B023  used at once
                lambda: gateway(config, front),  # noqa: B023
            ):
                process = begin()
                stack.callback(process.wait, 20)
                stack.callback(process.terminate)
            fronts[size] = (front, process.pid)
        return asyncio.run(_listed(fronts, rounds))


async def _listed(fronts: dict[int, tuple[int, int]], rounds: int) -> list[Point]:
    """Ask each front, by its port and process, in every round."""
    found: dict[Any, list[float]] = {size: [] for size in fronts}
    used: dict[Any, Point] = {}
    async with AsyncExitStack() as stack:
        clients = {
            size: await stack.enter_async_context(Client(f"http://127.0.0.1:{port}/mcp", cache=None))
            for size, (port, _) in fronts.items()
        }
        for client in clients.values():
            await client.list_tools()
        before = {size: processor(pid) for size, (_, pid) in fronts.items()}
        for _ in range(rounds):
            for size in random.sample(list(fronts), len(fronts)):
                began = time.perf_counter()
                listed = await clients[size].list_tools()
                found[size].append((time.perf_counter() - began) * 1000)
                used[size] = {"bytes": len(listed.model_dump_json())}
        for size, (_, pid) in fronts.items():
            used[size]["gateway_ms"] = round((processor(pid) - before[size]) * 1000 / rounds, 2)
    return points(found, used)


def by_languages(*, rounds: int) -> dict[str, Any]:
    """The same five English messages with packs of so many languages."""
    ways: dict[Any, Callable[[], Any]] = {}
    made: dict[Any, Point] = {}
    for count in LANGUAGES:
        held, began = _held(), time.perf_counter()
        decider = Decider.installed()
        decider._packs["tasks"] = _with_languages(count)  # noqa: SLF001  a pack that nobody has
        for tag in decider.pack("tasks").languages.tags:
            decider.pack("tasks").languages.grammar(tag)
        made[count] = {
            "ready_s": round(time.perf_counter() - began, 2),
            "memory_mb": round(_held() - held, 1),
        }
        cases = [Case(message=words, now=NOW) for words in SENTENCES]
        ways[count] = lambda decider=decider, cases=cases: [decider.decide(case) for case in cases]
    return {"words": points(timed(ways, rounds), made)}


def _with_languages(count: int) -> LoadedPack:
    """The tasks pack in English, Italian, and copies of Italian under made-up tags."""
    ours = load_pack(pack_folder("tasks"), check=False)
    languages: dict[str, PackLanguage] = {}
    for number in range(count):
        tag, like = ("en", "en") if number == 0 else ("it", "it") if number == 1 else (f"x{number}", "it")
        source = load_pack(pack_folder("tasks"), check=False).languages
        # a copy's telling words are its own, else it could not be told from what it copies
        words = telling_words(like) if number < 2 else frozenset(f"{word}{number}" for word in telling_words(like))
        languages[tag] = PackLanguage(words, lambda source=source, like=like: source.grammar(like))
    return LoadedPack(ours.pack, PackLanguages(languages, ours.languages.trained))


def prompt() -> dict[str, Any]:
    """How many letters a turn would send to a language model, and get back: the instructions, the tools and the
    messages of a conversation as the model tier sends them, after ten turns; and a call with an answer."""
    answers = load_answers(pack_folder("tasks"))
    shapes = [{"name": one.name, "description": one.description, "parameters": one.input_schema} for one in tools()]
    reply = 'I\'ve added "water the ferns" to your list, due Friday.'
    history = [Turn(role="user", content=MESSAGES[0]), Turn(role="assistant", content=reply)] * TURNS
    said = json.dumps(conversation(tuple(history), MESSAGES[1]), ensure_ascii=False)
    call = json.dumps({"name": "add_task", "arguments": {"title": "water the ferns", "due": "2030-03-15"}})
    parts = {"instructions": instructions(answers.prompt("en")), "tools": json.dumps(shapes), "conversation": said}
    sizes = {name: len(text) for name, text in parts.items()}
    return sizes | {"sent": sum(sizes.values()), "got": (len(call) + len(reply)) / 2}
