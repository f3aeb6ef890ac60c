/** How much of today is done, as the service counts it. */

import { ask, Offline } from "../api/http";
import type { Today } from "../api/types";
import { makeStore } from "./store";

export const day = makeStore<Today | null>(null);

let waiting: ReturnType<typeof setTimeout> | undefined;
const PAUSE = 300; // milliseconds of quiet, so that counting does not delay what is shown

/** Count again soon; at once where nothing was counted yet. */
export function refreshDaySoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => void refreshDay(), day.get() ? PAUSE : 0);
}

async function refreshDay(): Promise<void> {
  try {
    day.set(await ask<Today>("GET", "/v1/day"));
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
  }
}
