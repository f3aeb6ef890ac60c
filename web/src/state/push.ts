/** Reminders as notifications of this browser. Nothing is asked before there is a reminder. */

import { ask, Offline } from "../api/http";
import type { Made, PushKey, Task } from "../api/types";
import { closeNotifications } from "../offline/notifications";
import { t } from "../words/words";
import { wordsOf } from "./clicks";
import { keep, mine, read } from "./kept";
import { reminders } from "./reminders";
import { whenLeaving } from "./session";
import { makeStore } from "./store";
import { list } from "./tasks";

/** `idle`: no reminder yet, so nobody was asked. `unavailable`: the browser or the service cannot push. */
export type Push = "idle" | "unavailable" | "off" | "denied" | "on";

const CHANNEL = mine("push");
export const push = makeStore<Push>("idle");

const canPush = (): boolean => "Notification" in window && "PushManager" in window && "serviceWorker" in navigator;

let key: string | null = null;
let isLooking = false;

/** Whether this browser is subscribed, once the person has a reminder; the subscription is renewed where it is. */
export async function lookForPush(): Promise<void> {
  if (isLooking || push.get() !== "idle" || !hasReminder()) return;
  isLooking = true;
  try {
    key = canPush() ? (await ask<PushKey>("GET", "/v1/push/key")).key : null;
    if (!key) push.set("unavailable");
    else if (Notification.permission === "denied") push.set("denied");
    else if (Notification.permission === "granted" && read(CHANNEL, null)) await subscribe();
    else push.set("off");
  } catch (error) {
    if (push.get() === "idle" && !(error instanceof Offline)) push.set("off");
  } finally {
    isLooking = false;
  }
}

/** From now on: look again whenever the list or the reminders change. */
export function followReminders(): () => void {
  const stops = [list.watch(() => void lookForPush()), reminders.watch(() => void lookForPush())];
  void lookForPush();
  return () => {
    for (const stop of stops) stop();
  };
}

/** By a click alone: browsers ask the person for permission only then. What came of it is said. */
export async function switchOn(say: (words: string, bad: boolean) => void): Promise<void> {
  try {
    const answer = await Notification.requestPermission();
    push.set(answer === "denied" ? "denied" : "off");
    if (answer === "denied") say(t("push.denied"), true);
    if (answer !== "granted") return;
    await subscribe();
    say(t("push.done"), false);
  } catch (error) {
    say(error instanceof DOMException ? t("push.failed") : wordsOf(error), true);
  }
}

/** This browser gets no more reminders; the service forgets it. Whoever signs in here next gets none of these. */
export async function switchOff(): Promise<void> {
  const channel = read<string | null>(CHANNEL, null);
  keep(CHANNEL, null);
  if (push.get() === "on") push.set("off");
  if (channel) await ask("DELETE", `/v1/push/subscriptions/${channel}`).catch(() => null); // gone without it, too
  const worker = canPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await closeNotifications();
}

whenLeaving(switchOff);

export const isThisBrowser = (channel: string): boolean => read<string | null>(CHANNEL, null) === channel;

async function subscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: bytes(key!) };
  const made = await pushManager.subscribe(wanted).catch(async () => {
    // It was subscribed with a key that the service no longer has.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  });
  const body = { ...made.toJSON(), label: deviceName() };
  keep(CHANNEL, (await ask<Made>("POST", "/v1/push/subscriptions", { body })).id);
  push.set("on");
}

function hasReminder(): boolean {
  const { ringing, coming } = reminders.get();
  return ringing.length + coming.length > 0 || list.get().tasks.some((task: Task) => Boolean(task.remind && task.due));
}

/** What the person will know this browser by among the others. */
function deviceName(): string {
  const known = navigator as { userAgentData?: { platform?: string; brands?: { brand: string }[] } };
  const { platform, brands } = known.userAgentData ?? {};
  const name = brands?.map(({ brand }) => brand).find(brand => !/not.?a.?brand|chromium/i.test(brand));
  return [name ?? t("push.browser"), platform].filter(Boolean).join(", ").slice(0, 100);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, letter => letter.charCodeAt(0));
}
