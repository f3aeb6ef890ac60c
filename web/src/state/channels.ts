/** Where and when reminders arrive: channels, the morning hour, quiet hours. */

import { ask } from "../api/http";
import { makeStore } from "./store";

export interface Channel {
  id: string;
  kind: "push" | "address";
  label: string;
}

export interface Hours {
  /** HH:MM, when a task without a time rings. */
  morning: string;
  quiet_from: string | null;
  quiet_to: string | null;
}

export type Outcome = "sent" | "failed" | "gone" | "refused";

export const channels = makeStore<Channel[] | null>(null);
export const hours = makeStore<Hours | null>(null);

export async function loadChannels(): Promise<void> {
  channels.set((await ask<{ channels: Channel[] }>("GET", "/v1/reminders/channels")).channels);
}

export async function loadHours(): Promise<void> {
  hours.set(await ask<Hours>("GET", "/v1/reminders/settings"));
}

export async function addChannel(address: string, label: string): Promise<void> {
  await ask("POST", "/v1/reminders/channels", { body: { address, label } });
  await loadChannels();
}

export async function removeChannel(id: string): Promise<void> {
  await ask("DELETE", `/v1/reminders/channels/${id}`);
  await loadChannels();
}

export async function tryChannel(id: string): Promise<Outcome> {
  return (await ask<{ outcome: Outcome }>("POST", `/v1/reminders/channels/${id}/try`)).outcome;
}

export async function setHours(given: Hours): Promise<void> {
  hours.set(await ask<Hours>("PUT", "/v1/reminders/settings", { body: given }));
}
