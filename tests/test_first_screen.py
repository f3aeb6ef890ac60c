"""The examples that a new person sees first, on the page and in the terminal, do what they say on an empty list."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

import pytest

from sayso.assistant.conversation import Conversation
from sayso.assistant.converse import Assistant
from sayso.cli.assistant.chat import words
from sayso.decider import Decider
from sayso.decision import Call
from sayso.languages.load import installed_tags
from sayso.packs.answers import load_answers
from sayso.packs.load import pack_folder
from sayso.tasks.store.memory import MemoryTasks

pytestmark = pytest.mark.anyio

SUNDAY = datetime.fromisoformat("2026-11-15T11:00:00+01:00")
MOMENTS = [SUNDAY, SUNDAY + timedelta(days=1), SUNDAY.replace(hour=23, minute=50)]


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
def assistant():
    return Assistant(Decider.installed(), load_answers(pack_folder("tasks")))


def of_page(root, lang):
    texts = json.loads((root / f"web/src/words/{lang}.json").read_text("utf-8"))
    return [text for name, text in texts.items() if re.fullmatch(r"talk\.example\d", name)]


def of_terminal(lang):
    return re.findall(r'"([^"]+)"', words(lang).greeting)


@pytest.mark.parametrize("now", MOMENTS, ids=lambda now: f"{now:%A %H:%M}")
@pytest.mark.parametrize("lang", installed_tags())
async def test_every_example_is_done_at_once(root, assistant, lang, now):
    page, terminal = of_page(root, lang), of_terminal(lang)
    assert (len(page), len(terminal)) == (3, 1)
    for example in (*page, *terminal):
        conversation = Conversation(assistant, MemoryTasks(lambda: now), clock=lambda: now)
        reply = await conversation.say(example)
        assert [type(decision) for decision in reply.decisions] == [Call], example
        assert all(deed.succeeded for deed in reply.results), example
        assert conversation.lang == lang, example


@pytest.mark.parametrize("lang", installed_tags())
async def test_one_after_the_other_they_work_as_well(root, assistant, lang):
    conversation = Conversation(assistant, MemoryTasks(lambda: SUNDAY), clock=lambda: SUNDAY)
    for example in of_page(root, lang):
        reply = await conversation.say(example)
        assert [type(decision) for decision in reply.decisions] == [Call], example
