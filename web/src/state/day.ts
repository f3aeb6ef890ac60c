/** How much of today is done, as the service counts it. */

import { ask, Offline } from "../api/http";
import type { Day } from "../api/types";
import { makeStore } from "./store";

export const day = makeStore<Day | null>(null);

export async function refreshDay(): Promise<void> {
  try {
    day.set(await ask<Day>("GET", "/v1/day"));
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
  }
}
