"""Runs a model. It may write text and propose calls of the tools it is shown; each call goes to the judge.

The run is a task of its own that hands its calls over and waits; they are judged here, one after the other, in the
order the model made them. Once `answer` has returned, no call can be judged any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import agents
import msgspec
from agents.items import ModelResponse
from agents.lifecycle import RunHooksBase
from agents.models.interface import Model
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall

from sayso.agent.values import Judge, ToolShape
from sayso.agent.words import as_data, conversation, instructions, spoken
from sayso.case import Turn

MOST_LETTERS = 4_000  # of an answer
MOST_CALLS = 8  # of one round
_KINDS = frozenset(("message", "function_call", "reasoning"))
_CANCEL_TIMEOUT = 0.2  # seconds for a cancelled run to end

_log = logging.getLogger(__name__)


class BadModel(Exception):
    """The model did what no model should; it never leaves this module."""


class _Wanted(NamedTuple):
    """A call that waits for its verdict."""

    tool: str
    arguments: Any
    heard: asyncio.Future[str]


_Desk = asyncio.Queue[_Wanted | None]  # None: the run is over


class Agent:
    """A model behind rules. Holds nothing of a run; safe to share."""

    def __init__(self, model: Model, *, most_rounds: int = 6, settings: agents.ModelSettings | None = None) -> None:
        self._model, self._most_rounds = model, most_rounds
        self._settings = settings or agents.ModelSettings()

    async def answer(
        self,
        *,
        prompt: str,
        history: Sequence[Turn],
        message: str,
        tools: Sequence[ToolShape],
        judge: Judge,
        deadline: float,
    ) -> str | None:
        """Return the model's final text, "" if a verdict stopped the run, or None if the run failed.

        `deadline` is in seconds. It does not interrupt a call that is being judged, so that the result of each call is
        known; no call follows that one. None does not mean that nothing ran: the judge knows which calls ran.
        """
        ends = asyncio.get_running_loop().time() + deadline
        desk: _Desk = asyncio.Queue()
        run = asyncio.create_task(self._run(instructions(prompt), conversation(history, message), tools, desk))
        run.add_done_callback(lambda ended: _leave(ended, desk))
        try:
            while (wanted := await _next(desk, ends)) is not None:
                verdict = await judge(wanted.tool, wanted.arguments)
                if verdict.stop:
                    return ""
                if not wanted.heard.done():
                    wanted.heard.set_result(as_data(verdict.text))
            return _usable(run)
        except Exception as problem:  # noqa: BLE001  on any error, the turn continues without the model's text
            _log.warning("the model gave no answer: %s", type(problem).__name__)  # its text may hold anything
            return None
        finally:
            run.cancel()
            await asyncio.wait({run}, timeout=_CANCEL_TIMEOUT)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._model.close()

    async def _run(self, system: str, said: list[Any], tools: Sequence[ToolShape], desk: _Desk) -> str:
        agent = agents.Agent[None](
            name="sayso",
            instructions=system,
            model=self._model,
            model_settings=self._settings,
            tools=[_tool(shape, desk) for shape in tools],
        )
        result = await agents.Runner.run(
            agent,
            said,
            max_turns=self._most_rounds,
            hooks=_Check(frozenset(shape.name for shape in tools)),
            run_config=agents.RunConfig(
                tracing_disabled=True,
                trace_include_sensitive_data=False,
                tool_execution=agents.ToolExecutionConfig(max_function_tool_concurrency=1),
            ),
        )
        return str(result.final_output)


class _Check(RunHooksBase[Any, Any]):
    """Looks at a whole round before any call of it is judged: a round with one broken call is broken."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    async def on_llm_end(self, _context: Any, _agent: Any, response: ModelResponse) -> None:
        calls = [item for item in response.output if isinstance(item, ResponseFunctionToolCall)]
        if len(calls) > MOST_CALLS or any(item.type not in _KINDS for item in response.output):
            raise BadModel("too many calls, or of a kind it was not given")
        for call in calls:
            if call.name not in self._names:
                raise BadModel("a tool that it was not shown")
            _arguments(call.arguments)


def _tool(shape: ToolShape, desk: _Desk) -> agents.FunctionTool:
    async def hand_over(_context: ToolContext[Any], arguments: str) -> str:
        heard: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        desk.put_nowait(_Wanted(shape.name, _arguments(arguments), heard))
        return await heard

    return agents.FunctionTool(
        name=shape.name,
        description=shape.description,
        params_json_schema=shape.schema,
        on_invoke_tool=hand_over,
        strict_json_schema=False,
    )


def _arguments(text: str) -> Any:
    """As the model gave them; nothing at all means no arguments."""
    return msgspec.json.decode(text) if text.strip() else {}


async def _next(desk: _Desk, ends: float) -> _Wanted | None:
    """The next call, None at the end of the run, TimeoutError when time is up."""
    left = ends - asyncio.get_running_loop().time()
    if left <= 0:
        raise TimeoutError
    return await asyncio.wait_for(desk.get(), left)


def _leave(ended: asyncio.Task[str], desk: _Desk) -> None:
    if not ended.cancelled():
        ended.exception()  # looked at, so that the loop does not print it
    desk.put_nowait(None)


def _usable(run: asyncio.Task[str]) -> str | None:
    if run.cancelled():
        raise BadModel("it gave up")
    text = spoken(run.result())
    if not text or len(text) > MOST_LETTERS:
        raise BadModel("nothing for a person, or more than anybody would read")
    return text
