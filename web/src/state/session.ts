/** Who is signed in. Without a connection the last one counts, so that the list can be read. */

import { takeEarly } from "../api/early";
import { ask, Offline, whenSignedOut } from "../api/http";
import type { Session } from "../api/types";
import { forgetMe, keep, mine, read } from "./kept";
import { makeStore } from "./store";

export type SessionState = Session | "unknown" | "unreachable";

const SAVED = mine("session");
const NOBODY: Session = {
  signed_in: false,
  user: null,
  development: false,
  login: false,
  machines: false,
  version: "",
};

export const session = makeStore<SessionState>(read<SessionState>(SAVED, "unknown"));

export async function meet(): Promise<void> {
  try {
    const found = (await takeEarly("session")) ?? (await ask<Session>("GET", "/v1/session"));
    const before = read<Session | null>(SAVED, null);
    const isOther = before?.user && found.user && before.user.id !== found.user.id;
    if (isOther) {
      await leave();
      forgetMe();
    }
    if (found.signed_in) keep(SAVED, found);
    if (isOther)
      location.reload(); // nothing of the one before may stay, in memory either
    else session.set(found);
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
    if (session.get() === "unknown") session.set("unreachable");
  }
}

const leaving: (() => Promise<void>)[] = [];

/** Calls back before somebody's things leave this browser. */
export function whenLeaving(callback: () => Promise<void>): void {
  leaving.push(callback);
}

/** Nobody is kept from leaving. */
async function leave(): Promise<void> {
  for (const callback of leaving) await callback().catch(console.warn);
}

export async function signOut(): Promise<void> {
  await leave();
  await ask("POST", "/auth/logout");
  forgetMe();
  location.replace("/");
}

/** End the sessions of all browsers, this one too. */
export async function signOutEverywhere(): Promise<void> {
  await leave();
  await ask("DELETE", "/v1/sessions");
  forgetMe();
  location.replace("/");
}

const DEVICE = Intl.DateTimeFormat().resolvedOptions().timeZone; // asked once: it takes long, and every row asks

export function zone(): string {
  const known = session.get();
  const device = DEVICE;
  return (typeof known === "object" && known.user?.zone) || device;
}

// Somebody signed out, or in as somebody else, in another window: nothing of theirs may stay in this one.
window.addEventListener("storage", event => {
  const here = session.get();
  if (event.key !== SAVED || typeof here !== "object" || !here.user) return;
  if (read<Session | null>(SAVED, null)?.user?.id !== here.user.id) location.reload();
});

whenSignedOut(() => {
  session.set(now =>
    typeof now === "object" ? { ...NOBODY, development: now.development, login: now.login } : NOBODY,
  );
});
