/** The trail, newest first, put together turn by turn. */

import { ask } from "../api/http";
import type { Trail, TrailEntry, Verification } from "../api/types";

export interface Moment {
  key: string;
  at: string;
  entries: TrailEntry[];
}

const SIZE = 200;

/** A page from the end. With a kind come the messages, too: they are what decisions are marked in. */
export async function readTrail(kind: string, before: number | null): Promise<Trail> {
  const query = new URLSearchParams({ order: "newest", limit: String(SIZE) });
  if (kind) for (const one of new Set([kind, "message"])) query.append("kind", one);
  if (before !== null) query.set("after", String(before));
  return ask<Trail>("GET", `/v1/trail?${query}`);
}

export async function verifyTrail(): Promise<Verification> {
  return ask<Verification>("GET", "/v1/trail/verify");
}

/** What happened in one go: entries of one moment and one conversation, in the order in which they were written. */
export function moments(newestFirst: TrailEntry[]): Moment[] {
  const found: Moment[] = [];
  for (const entry of newestFirst) {
    const last = found.at(-1);
    const first = last?.entries[0];
    if (last && first && first.at === entry.at && first.conversation === entry.conversation)
      last.entries.unshift(entry);
    else found.push({ key: String(entry.number), at: entry.at, entries: [entry] });
  }
  return found;
}

export function fits(moment: Moment, kind: string, search: string): boolean {
  if (kind && !moment.entries.some(entry => entry.kind === kind)) return false;
  if (!search) return true;
  const wanted = search.toLocaleLowerCase();
  return moment.entries.some(entry =>
    JSON.stringify(entry.body ?? "")
      .toLocaleLowerCase()
      .includes(wanted),
  );
}
