/** Messages on their way. Each is kept before it is sent and let go once it is answered, so none is lost and none is
 * done twice: it keeps its id, and the service answers an id once. */

import { keep, mine, read } from "./kept";
import { makeStore } from "./store";

export interface Outgoing {
  id: string;
  content: string;
  at: string;
  conversation: string | null;
  /** Why it was refused, if it was: it is not sent again by itself. */
  refused?: string;
}

const NAME = mine("outbox");

export const outbox = makeStore<Outgoing[]>(read<Outgoing[]>(NAME, []));

export function change(how: (before: Outgoing[]) => Outgoing[]): void {
  const next = how(read<Outgoing[]>(NAME, outbox.get()));
  keep(NAME, next);
  outbox.set(next);
}

export function put(content: string, conversation: string | null): Outgoing {
  const item: Outgoing = { id: crypto.randomUUID(), content, at: new Date().toISOString(), conversation };
  change(before => [...before, item]);
  return item;
}

export function settle(id: string): void {
  change(before => before.filter(item => item.id !== id));
}

export function amend(id: string, amended: Partial<Outgoing>): void {
  change(before => before.map(item => (item.id === id ? { ...item, ...amended } : item)));
}

/** Read what another window may have added or sent. */
export function reread(): void {
  outbox.set(read<Outgoing[]>(NAME, []));
}

/** One window at a time sends: the others wait for their turn, and find less to send. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  return navigator.locks.request(NAME, work) as Promise<T>;
}
