/** Server-sent events out of an answer's body, and a turn out of AG-UI's events. */

import type { Decision } from "./parts";
import type { CallResult, Card, FollowUp, Reply } from "./types";

export interface TurnEvent {
  type: string;
  name?: string;
  value?: unknown;
  toolCallId?: string;
  toolCallName?: string;
  delta?: string;
  content?: string;
  code?: string;
  message?: string;
  result?: Partial<Reply>;
}

/** The events of a stream, each a JSON object, as many at a time as came together; comments are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<TurnEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    const events = blocks.map(dataOf).filter(Boolean);
    if (events.length) yield events.map(data => JSON.parse(data) as TurnEvent);
  }
}

function dataOf(block: string): string {
  const lines = block.split(/\r?\n/).filter(line => line.startsWith("data:"));
  return lines.map(line => line.slice(5).trimStart()).join("\n");
}

/** A turn as it grows: each event gives the next state of the reply. */
export function grown(reply: Reply, event: TurnEvent): Reply {
  switch (event.type) {
    case "CUSTOM":
      return custom(reply, event);
    case "TOOL_CALL_START": {
      const deed: CallResult = { tool: event.toolCallName ?? "", arguments: {}, result: {} };
      return { ...reply, results: [...reply.results, deed] };
    }
    case "TOOL_CALL_ARGS":
      return lastDeed(reply, { arguments: parsed(event.delta) });
    case "TOOL_CALL_RESULT":
      return lastDeed(reply, { result: parsed(event.content) });
    case "TEXT_MESSAGE_CONTENT":
      return { ...reply, reply: reply.reply + (event.delta ?? "") };
    case "RUN_FINISHED":
      return { ...reply, ...event.result };
    default:
      return reply;
  }
}

export const NO_REPLY: Reply = {
  turn_id: "",
  decisions: [],
  results: [],
  reply: "",
  confirmation: null,
  confirmations: [],
  settled: {},
  next: [],
  undo: null,
  by_model: false,
};

function custom(reply: Reply, { name, value }: TurnEvent): Reply {
  if (name === "decisions") return { ...reply, decisions: value as Decision[] };
  if (name === "confirmation") {
    const card = value as Card;
    return { ...reply, confirmation: card, confirmations: [...reply.confirmations, card] };
  }
  if (name === "next") return { ...reply, next: value as FollowUp[] };
  return reply;
}

function lastDeed(reply: Reply, change: Partial<CallResult>): Reply {
  const results = reply.results.map((deed, at) => (at === reply.results.length - 1 ? { ...deed, ...change } : deed));
  return { ...reply, results };
}

function parsed(text: string | undefined): Record<string, unknown> {
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}
