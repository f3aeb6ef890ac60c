/** Where and when reminders arrive: channels, the morning hour, quiet hours. */

import { ask } from "../api/http";
import type { Channel, Channels, ReminderSettings, Tried } from "../api/types";
import { makeStore } from "./store";

export const channels = makeStore<Channel[] | null>(null);
export const hours = makeStore<ReminderSettings | null>(null);

export async function loadChannels(): Promise<void> {
  channels.set((await ask<Channels>("GET", "/v1/reminders/channels")).channels);
}

export async function loadHours(): Promise<void> {
  hours.set(await ask<ReminderSettings>("GET", "/v1/reminders/settings"));
}

export async function addChannel(address: string, label: string): Promise<void> {
  await ask("POST", "/v1/reminders/channels", { body: { address, label } });
  await loadChannels();
}

export async function removeChannel(id: string): Promise<void> {
  await ask("DELETE", `/v1/reminders/channels/${id}`);
  await loadChannels();
}

export async function tryChannel(id: string): Promise<Tried["outcome"]> {
  return (await ask<Tried>("POST", `/v1/reminders/channels/${id}/try`)).outcome;
}

export async function setHours(given: ReminderSettings): Promise<void> {
  hours.set(await ask<ReminderSettings>("PUT", "/v1/reminders/settings", { body: given }));
}
