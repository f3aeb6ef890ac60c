/** The conversation: what was said and answered, what is on its way, and what is being asked. */

import { grown, NO_REPLY, readEvents, type TurnEvent } from "../api/events";
import { ask, Offline, Problem, send } from "../api/http";
import { resultOf } from "../api/parts";
import type { Card, Clarify, Conversation, ConversationSummary, Conversations, History, Reply } from "../api/types";
import { t } from "../words/words";
import { takeBack, wordsOf } from "./clicks";
import { keep, mine, read } from "./kept";
import { heardOf } from "./machines";
import { speak } from "./notice";
import { amend, change, type Outgoing, outbox, put, reread, settle, WINDOW } from "./outbox";
import { makeStore } from "./store";
import { applyDeed, hold, known, refreshSoon } from "./tasks";

export interface Turn {
  key: string;
  message: string;
  at: string;
  reply: Reply;
  streaming?: boolean;
}

export interface Talk {
  conversation: string | null;
  /** A new conversation was asked for, and nothing is said in it yet. */
  isNew: boolean;
  turns: Turn[];
  /** Undo ids that were taken back here, and what was said about those that could not be. */
  takenBack: Record<string, string>;
  loaded: boolean;
}

const HERE = mine("conversation");
const NEW = "new"; // in place of an id
const TURNS = mine("turns");
const windows = new BroadcastChannel("sayso");

export const online = makeStore(navigator.onLine);
const kept = read<string | null>(HERE, null);
export const talk = makeStore<Talk>({
  conversation: kept === NEW ? null : kept,
  isNew: kept === NEW,
  turns: read<Turn[]>(TURNS, []),
  takenBack: {},
  loaded: false,
});

/** Go on with the conversation that the person used last, on whatever device, unless a new one was asked for here. Where it
 * is shown already, to its last message, nothing is read. */
export async function follow(): Promise<void> {
  const { isNew, loaded, turns, conversation } = talk.get();
  if (isNew || nextItem()) return loaded ? undefined : recall();
  const last = await lastUsed().catch(() => null);
  if (talk.get().isNew) return;
  if (talk.get().conversation !== conversation) return recall();
  const isOther = last && last.id !== conversation;
  if (isOther) enter(last.id);
  if (isOther || !loaded || last?.words !== turns.at(-1)?.message) await recall();
}

let looking: ReturnType<typeof setTimeout> | undefined;
const LOOK = 600; // milliseconds of quiet

export function followSoon(): void {
  clearTimeout(looking);
  looking = setTimeout(() => void follow(), LOOK);
}

async function lastUsed(): Promise<ConversationSummary | undefined> {
  const found = await ask<Conversations>("GET", "/v1/conversations?limit=1");
  return found.conversations[0];
}

function enter(id: string): void {
  keep(HERE, id);
  talk.set(now => ({ ...now, conversation: id, isNew: false }));
}

/** Read the conversation anew, with the question that is open. */
export async function recall(): Promise<void> {
  const { conversation } = talk.get();
  if (!conversation) return talk.set(now => ({ ...now, loaded: true }));
  try {
    const { turns, cards, thinking } = await ask<History>("GET", `/v1/conversations/${conversation}/messages?limit=50`);
    if (talk.get().conversation !== conversation) return;
    const found: Turn[] = turns.map(said => ({
      key: said.client_message_id ?? said.reply.turn_id,
      message: said.message,
      at: said.at,
      reply: cards ? withCards(said.reply, openOf(cardsOf(said.reply), cards)) : said.reply,
    }));
    for (const turn of found) for (const deed of turn.reply.results) remember(resultOf(deed).task);
    keep(TURNS, found.slice(-20));
    if (thinking) {
      found.push({ key: thinking.client_message_id, ...thinking, reply: NO_REPLY, streaming: true });
      setTimeout(() => void recall(), 1500);
    }
    talk.set(now => ({ ...now, turns: found, loaded: true }));
  } catch (error) {
    if (error instanceof Problem && error.kind === "no_conversation") beginAnew();
    else talk.set(now => ({ ...now, loaded: true }));
  }
}

/** The cards that a turn shows. */
export function cardsOf(reply: Reply): Card[] {
  return reply.confirmations ?? (reply.confirmation ? [reply.confirmation] : []);
}

function withCards(reply: Reply, cards: Card[]): Reply {
  return { ...reply, confirmation: cards.at(-1) ?? null, confirmations: cards };
}

const idsOf = (card: Card): string[] => [card.id, ...(card.items ?? []).map(item => item.id)];

/** Of these cards, those that are open, as they stand now: one that was answered elsewhere, or is over, is none. */
function openOf(shown: Card[], open: Card[]): Card[] {
  return shown.flatMap(card => open.filter(one => idsOf(card).includes(one.id)));
}

/** The turns without the cards that an answer has closed. Where items of a card are closed and others are not, it is
 * another card now, and is read anew. */
function afterAnswer(turns: Turn[], { settled = {} }: Reply): Turn[] {
  const isClosed = (id: string): boolean => id in settled;
  return turns.map(turn => {
    const cards = cardsOf(turn.reply);
    if (!cards.some(card => idsOf(card).some(isClosed))) return turn;
    const left = cards.filter(card => !idsOf(card).some(isClosed));
    if (cards.some(card => idsOf(card).some(isClosed) && !idsOf(card).every(isClosed))) queueMicrotask(recall);
    return { ...turn, reply: withCards(turn.reply, left) };
  });
}

export function beginAnew(): void {
  keep(HERE, NEW);
  keep(TURNS, null);
  talk.set({ conversation: null, isNew: true, turns: [], takenBack: {}, loaded: true });
}

export function say(content: string): void {
  hold();
  put(content, talk.get().conversation);
  void deliver();
}

let failures = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;

let delivering = false;

/** Send what waits here, one after the other. Where there is no answer the rest waits, and is tried again. */
export async function deliver(): Promise<void> {
  clearTimeout(waiting);
  if (delivering) return;
  delivering = true;
  try {
    for (let item = nextItem(); item; item = nextItem()) {
      const pause = await attempt(item);
      if (pause === null) continue;
      waiting = setTimeout(() => void deliver(), pause);
      return;
    }
  } finally {
    delivering = false;
  }
}

const nextItem = (): Outgoing | undefined => outbox.get().find(item => item.owner === WINDOW && !item.refused);

/** Send one message; how long to wait before it is tried again, or null once it is settled. */
async function attempt(item: Outgoing): Promise<number | null> {
  try {
    const conversation = item.conversation ?? (await here());
    if (!item.conversation) amend(item.id, { conversation });
    await stream(item, conversation);
    online.set(true);
    failures = 0;
    return null;
  } catch (error) {
    talk.set(now => ({ ...now, turns: now.turns.filter(turn => turn.key !== item.id) }));
    if (error instanceof Problem && !error.passes) {
      if (error.status !== 401) amend(item.id, { refused: wordsOf(error) });
      if (error.kind === "no_conversation") beginAnew();
      return error.status === 401 ? 60_000 : null;
    }
    if (!(error instanceof Problem)) online.set(false);
    return error instanceof Problem ? (error.retryAfter ?? 2) * 1000 : patience();
  }
}

/** Longer and longer, up to half a minute. */
function patience(): number {
  failures = Math.min(failures + 1, 7);
  return 250 * 2 ** failures;
}

async function here(): Promise<string> {
  const { conversation, isNew } = talk.get();
  if (conversation) return conversation;
  const last = isNew ? undefined : await lastUsed();
  const { id } = last ?? (await ask<Conversation>("POST", "/v1/conversations"));
  enter(id);
  return id;
}

async function stream(item: Outgoing, conversation: string): Promise<void> {
  const path = `/v1/conversations/${conversation}/messages`;
  const body = { client_message_id: item.id, content: item.content };
  const answer = await send("POST", path, { body, accept: "text/event-stream" });
  let reply = NO_REPLY;
  let finished = false;
  try {
    for await (const events of readEvents(answer.body!)) {
      for (const event of events) {
        if (event.type === "RUN_ERROR") throw failed(event);
        reply = grown(reply, event);
        if (event.type === "TOOL_CALL_RESULT") applyDeed(reply.results.at(-1)!);
        finished ||= event.type === "RUN_FINISHED";
      }
      if (!finished && reply.reply) show({ key: item.id, message: item.content, at: item.at, reply, streaming: true });
    }
  } catch (error) {
    throw error instanceof Problem ? error : new Offline(String(error));
  }
  if (!finished) throw new Offline("the stream ended early");
  settle(item.id);
  arrived(reply, item);
}

function failed({ code = "failed", message = "" }: TurnEvent): Problem {
  const passes = code === "failed" || code === "unavailable";
  return new Problem(code, passes ? 503 : 409, "", message, null);
}

function show(turn: Turn): void {
  talk.set(now => {
    const at = now.turns.findIndex(one => one.key === turn.key);
    return { ...now, turns: at < 0 ? [...now.turns, turn] : now.turns.with(at, turn) };
  });
}

/** A whole answer: kept once, spoken, and told to the other windows. */
function arrived(reply: Reply, from: { id: string; content: string; at: string }): void {
  const turn: Turn = { key: from.id, message: from.content, at: from.at, reply };
  talk.set(now => {
    const others = now.turns.filter(one => one.key !== turn.key && one.reply.turn_id !== reply.turn_id);
    return { ...now, turns: [...afterAnswer(others, reply), turn] };
  });
  for (const deed of reply.results) remember(resultOf(deed).task);
  keep(TURNS, talk.get().turns.slice(-20));
  heardOf(reply);
  speak(reply.reply);
  windows.postMessage(talk.get().conversation);
}

/** Yes or no to a card; a yes to a card for several may be for some of its items. What went wrong, if anything. */
export async function answerCard(card: Card, answer: "yes" | "no", items?: string[]): Promise<string | null> {
  try {
    const body = { answer, digest: card.digest, ...(items && { items }) };
    const reply = await ask<Reply>("POST", `/v1/confirmations/${card.id}`, { body });
    for (const deed of reply.results) applyDeed(deed);
    arrived(reply, {
      id: `card ${card.id} ${answer}`,
      content: t(answer === "yes" ? "card.said_yes" : "card.said_no"),
      at: new Date().toISOString(),
    });
    return null;
  } catch (error) {
    if (error instanceof Problem && error.kind === "refused") void recall();
    return wordsOf(error);
  }
}

/** Take back something that a turn did. */
export async function undoDeed(undo: string): Promise<void> {
  const { worked, words } = await takeBack(undo);
  const said = words || t(worked ? "done.undone" : "problem.failed");
  talk.set(now => ({ ...now, takenBack: { ...now.takenBack, [undo]: said } }));
  speak(said);
}

export function discard(id: string): void {
  change(before => before.filter(item => item.id !== id));
}

export function tryAgain(id: string): void {
  change(before =>
    before.map(item =>
      item.id === id ? { ...item, id: crypto.randomUUID(), owner: WINDOW, refused: undefined } : item,
    ),
  );
  void deliver();
}

/** The question that the last turn left open, if it has answers to choose from. */
export function openQuestion({ turns }: Talk): Clarify | null {
  const last = turns.at(-1);
  if (!last || last.streaming) return null;
  return last.reply.decisions.findLast(one => one.kind === "clarify" && Boolean(one.options?.length)) as Clarify | null;
}

function remember(task: { id: string } | undefined): void {
  if (task && !known.has(task.id)) known.set(task.id, task as never);
}

/** Other windows of this browser, and the connection. */
export function keepUp(): () => void {
  const told = ({ data }: MessageEvent): void => {
    if (data && data !== talk.get().conversation) {
      enter(data as string);
    }
    reread();
    void recall();
    refreshSoon();
  };
  const stored = (event: StorageEvent): void => {
    if (event.key?.endsWith("outbox")) reread();
  };
  const back = (): void => {
    online.set(true);
    void deliver();
    refreshSoon();
  };
  const away = (): void => online.set(false);
  windows.addEventListener("message", told);
  addEventListener("storage", stored);
  addEventListener("online", back);
  addEventListener("offline", away);
  addEventListener("focus", followSoon);
  return () => {
    windows.removeEventListener("message", told);
    removeEventListener("storage", stored);
    removeEventListener("online", back);
    removeEventListener("offline", away);
    removeEventListener("focus", followSoon);
  };
}
