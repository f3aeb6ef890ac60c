/** What has just happened by a click, with its way back; and what a screen reader is told. */

import { makeStore } from "./store";

export interface Notice {
  text: string;
  undo?: () => void;
  bad?: boolean;
}

export const notice = makeStore<Notice | null>(null);
export const spoken = makeStore("");

export function tell(text: string, more: Omit<Notice, "text"> = {}): void {
  notice.set({ text, ...more });
  speak(text);
}

/** The same words twice are spoken twice: the region changes in between. */
export function speak(text: string): void {
  spoken.set("");
  setTimeout(() => spoken.set(text), 50);
}
