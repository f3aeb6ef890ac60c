import { expect, test } from "vitest";
import { grown, NO_REPLY, readEvents, type TurnEvent } from "./events";

const EVENTS: TurnEvent[] = [
  { type: "RUN_STARTED" },
  { type: "CUSTOM", name: "decisions", value: [{ kind: "call", tool: "add_task", confidence: 0.9 }] },
  { type: "TOOL_CALL_START", toolCallId: "1", toolCallName: "add_task" },
  { type: "TOOL_CALL_ARGS", toolCallId: "1", delta: '{"title":"caffè ☕"}' },
  { type: "TOOL_CALL_RESULT", toolCallId: "1", content: '{"status":"success"}' },
  { type: "TEXT_MESSAGE_CONTENT", delta: "I've added " },
  { type: "TEXT_MESSAGE_CONTENT", delta: "it." },
];

/** A body that arrives in pieces that end anywhere, also within a letter. */
function body(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

test.each([1, 7, 10_000])("a turn is read whole, however it is cut (%i bytes at a time)", async size => {
  const text = `: alive\n\n${EVENTS.map(event => `data: ${JSON.stringify(event)}\n\n`).join("")}`;
  let reply = NO_REPLY;
  for await (const events of readEvents(body(text, size))) reply = events.reduce(grown, reply);
  expect(reply.reply).toBe("I've added it.");
  expect(reply.results).toEqual([
    { tool: "add_task", arguments: { title: "caffè ☕" }, result: { status: "success" } },
  ]);
  expect(reply.decisions).toHaveLength(1);
});
