/** Which part is shown: in the address, so that back and reload do what people expect. On a wide screen the
 * conversation is beside the list, or beside the machines. */

import { useSyncExternalStore } from "react";
import { notice } from "../state/notice";

export type View = "talk" | "list" | "machines" | "trail";

function current(): View {
  const name = location.hash.slice(1);
  return name === "talk" || name === "machines" || name === "trail" ? name : "list";
}

function watch(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

// What happened on one view is no news on the next.
addEventListener("hashchange", () => notice.set(null));

export function go(view: View): void {
  if (view !== current()) location.hash = view;
}

/** To the conversation, where it is not in sight already. */
export function showTalk(): void {
  const isBeside = matchMedia("(width >= 48rem)").matches && current() !== "trail";
  if (!isBeside) go("talk");
}

export function useView(): [View, (view: View) => void] {
  return [useSyncExternalStore(watch, current), go];
}
