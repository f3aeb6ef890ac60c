"""Run in Pydantic AI's own environment: an agent whose model deletes a note. Prints what came of it, as JSON."""

from __future__ import annotations

import asyncio
import json
import runpy
import sys

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel


def model(messages, _info):
    last = messages[-1].parts[-1]
    if last.part_kind == "tool-return":
        return ModelResponse(parts=[TextPart(last.model_response_str())])
    reads = last.content == "show my notes"
    return ModelResponse(
        parts=[ToolCallPart("list_notes" if reads else "delete_note", {} if reads else {"text": "Buy milk"})]
    )


async def run(file, said, answer):
    made, asked = runpy.run_path(file), []

    async def ask(question):
        asked.append(question.question)
        return answer

    result = await made["make_agent"](FunctionModel(model), ask).run(said)
    return {"asked": asked, "notes": made["notes"], "output": result.output}


async def main():
    said = ("delete the note Buy milk", True), ("delete the note Buy milk", False), ("show my notes", False)
    sys.stdout.write(json.dumps([await run(sys.argv[1], *each) for each in said]))


asyncio.run(main())
