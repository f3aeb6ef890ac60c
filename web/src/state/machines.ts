/** The machines: fetched when the page is opened and when they were spoken of, and every few seconds while they are seen. */

import { ask, Offline } from "../api/http";
import type { Machine, Machines, Reply } from "../api/types";
import { session } from "./session";
import { makeStore } from "./store";

export interface Fleet {
  machines: Machine[];
  more: number;
  loaded: boolean;
}

const EVERY = 5000;
export const fleet = makeStore<Fleet>({ machines: [], more: 0, loaded: false });

let asked = 0;

export async function refreshMachines(): Promise<void> {
  const who = session.get();
  if (typeof who !== "object" || !who.machines) return;
  const number = ++asked;
  try {
    const found = await ask<Machines>("GET", "/v1/machines");
    if (number === asked) fleet.set({ ...found, loaded: true });
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
  }
}

/** While they are seen: a page that nobody looks at asks nothing. */
export function watchMachines(): () => void {
  const look = (): void => {
    if (document.visibilityState === "visible") void refreshMachines();
  };
  look();
  const timer = setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/** What a turn did may be seen on a machine. */
export function heardOf(reply: Reply): void {
  if (reply.results.some(deed => deed.result.device_id !== undefined)) void refreshMachines();
}
