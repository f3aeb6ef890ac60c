/** Reminders: those that rang and are not dealt with, and those of the rest of today. */

import { ask, Offline, Problem } from "../api/http";
import type { Reminder, Reminders } from "../api/types";
import { closeNotifications } from "../offline/notifications";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { act, wordsOf } from "./clicks";
import { day } from "./day";
import { speak, tell } from "./notice";
import { makeStore } from "./store";
import { refreshSoon } from "./tasks";

export const SNOOZE = 10; // minutes
export const reminders = makeStore<Reminders>({ ringing: [], coming: [] });

let asked = 0;
const heard = new Set<string>();

/** Fetch them anew; an answer that a later question has overtaken is dropped. */
export async function refreshReminders(): Promise<void> {
  const number = ++asked;
  try {
    const found = await ask<Reminders>("GET", "/v1/reminders");
    if (number !== asked) return;
    reminders.set(found);
    const fresh = found.ringing.filter(({ id }) => !heard.has(id));
    for (const { id } of fresh) heard.add(id);
    if (fresh.length) speak(fresh.map(({ title }) => t("ringing.rang", { title: spelled(title) })).join(" "));
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
  }
}

/** Each time that the list was fetched, the day is counted: what is to ring may have changed, too. */
export function followList(): () => void {
  return day.watch(() => void refreshReminders());
}

export async function completeReminder(reminder: Reminder): Promise<void> {
  await settle(reminder, "done", undefined, title => t("done.completed", { title }));
}

export async function snoozeReminder(reminder: Reminder): Promise<void> {
  await settle(reminder, "snooze", { minutes: SNOOZE }, title => t("done.snoozed", { title }));
}

/** Stop showing it: the task stays as it is. */
export async function dismissReminder({ id }: Reminder): Promise<void> {
  hide(id);
  try {
    await ask("POST", `/v1/reminders/${id}/dismiss`);
  } catch (error) {
    if (!isGone(error)) tell(wordsOf(error), { bad: true });
  }
  await refreshReminders();
}

async function settle(
  { id, title }: Reminder,
  how: "done" | "snooze",
  body: unknown,
  said: (title: string) => string,
): Promise<void> {
  hide(id);
  await act("POST", `/v1/reminders/${id}/${how}`, { body, title, said, excuses: isGone });
  refreshSoon();
  await refreshReminders();
}

/** It was dealt with elsewhere, or its task has moved on. */
function isGone(error: unknown): boolean {
  return error instanceof Problem && (error.kind === "no_reminder" || error.kind === "no_task");
}

/** It is over here, and as a notification. */
function hide(id: string): void {
  void closeNotifications(id);
  asked++; // an answer that is under way still has it
  reminders.set(before => ({ ...before, ringing: before.ringing.filter(one => one.id !== id) }));
}
