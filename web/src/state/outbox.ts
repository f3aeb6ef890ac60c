/** Messages on their way. Each is kept before it is sent and let go once it is answered, so none is lost and none is
 * done twice: it keeps its id, and the service answers an id once. */

import { keep, mine, read } from "./kept";
import { makeStore } from "./store";

export interface Outgoing {
  id: string;
  content: string;
  at: string;
  conversation: string | null;
  /** The window that sends it. */
  owner: string;
  /** Why it was refused, if it was: it is not sent again by itself. */
  refused?: string;
}

const NAME = mine("outbox");
const ALIVE = "sayso.window.";

/** This window, by a lock that it holds for as long as it lives. */
export const WINDOW = crypto.randomUUID();
void navigator.locks?.request(ALIVE + WINDOW, () => new Promise(() => undefined));

export const outbox = makeStore<Outgoing[]>(read<Outgoing[]>(NAME, []));

export function change(how: (before: Outgoing[]) => Outgoing[]): void {
  const next = how(read<Outgoing[]>(NAME, outbox.get()));
  keep(NAME, next);
  outbox.set(next);
}

export function put(content: string, conversation: string | null): Outgoing {
  const item: Outgoing = {
    id: crypto.randomUUID(),
    content,
    at: new Date().toISOString(),
    conversation,
    owner: WINDOW,
  };
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

/** Take over what windows left behind that are no more. Should two take the same, it is still done once. */
export async function adopt(): Promise<void> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const alive = new Set([...held.map(lock => lock.name?.replace(ALIVE, "")), WINDOW]);
  if (read<Outgoing[]>(NAME, []).every(item => alive.has(item.owner))) return;
  change(before => before.map(item => (alive.has(item.owner) ? item : { ...item, owner: WINDOW })));
}
