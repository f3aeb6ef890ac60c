/** Dragging a task onto a day or a list: with a mouse at once, by touch after it was held for a moment. A place to drop it
 * has `data-drop`: "day:2026-11-17", "day:" for no date, "list:Home", "list:" for no list. */

import type { Task } from "../api/types";
import { editTask, type Fields } from "../state/clicks";
import { notice } from "../state/notice";
import { makeStore } from "../state/store";
import { isSameList, known } from "../state/tasks";

const FAR = 6; // pixels that a mouse moves before it drags, and a finger before it scrolls
const HOLD = 350; // milliseconds

export interface Dragged {
  task: Task;
  /** The place that it is over. */
  over: string | null;
}

export const dragged = makeStore<Dragged | null>(null);
export const pointer = makeStore({ x: 0, y: 0 });

export const dayPlace = (day: string | null): string => `day:${day ?? ""}`;
export const listPlace = (name: string | null): string => `list:${name ?? ""}`;

/** The pointer went down on a task: follow it until it drags, scrolls or is lifted. */
export function pressTask(task: Task, { pointerId, pointerType, button, clientX, clientY }: React.PointerEvent): void {
  if (button !== 0 || dragged.get()) return;
  const isMouse = pointerType === "mouse";
  const stop = new AbortController();
  let began = false;
  const begin = (): void => {
    began = true;
    notice.set(null); // it would lie over the places
    dragged.set({ task, over: null });
  };
  const hold = isMouse ? undefined : setTimeout(begin, HOLD);
  const end = (): void => {
    clearTimeout(hold);
    stop.abort();
    dragged.set(null);
  };
  const on = <Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void): void =>
    addEventListener(name, listener, { signal: stop.signal });

  pointer.set({ x: clientX, y: clientY });
  on("pointermove", event => {
    if (event.pointerId !== pointerId) return;
    const isFar = Math.hypot(event.clientX - clientX, event.clientY - clientY) > FAR;
    if (!began && isFar && !isMouse) return end();
    if (!began && isFar) begin();
    if (!dragged.get()) return;
    pointer.set({ x: event.clientX, y: event.clientY });
    const over = placeAt(event.clientX, event.clientY);
    if (over !== dragged.get()?.over) dragged.set({ task, over });
  });
  on("pointerup", event => {
    if (event.pointerId !== pointerId) return;
    const now = dragged.get();
    end();
    if (began) ignoreClick();
    if (now?.over) drop(known.get(task.id) ?? task, now.over);
  });
  on("pointercancel", end);
  on("blur", end);
  on("keydown", event => event.key === "Escape" && dragged.set(null));
  on("contextmenu", event => !isMouse && event.preventDefault()); // a finger that holds asks for no menu
}

/** A finger that drags does not scroll. Browsers heed this only of a listener that was there before the touch. */
export function keepFromScrolling(area: HTMLElement | null): (() => void) | undefined {
  const held = (event: TouchEvent): void => {
    if (dragged.get()) event.preventDefault();
  };
  area?.addEventListener("touchmove", held, { passive: false });
  return () => area?.removeEventListener("touchmove", held);
}

function placeAt(x: number, y: number): string | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]")?.dataset.drop ?? null;
}

/** The mouse is lifted over what it was pressed on: that is no click. */
function ignoreClick(): void {
  const stop = new AbortController();
  const ignore = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", ignore, { capture: true, signal: stop.signal });
  setTimeout(() => stop.abort());
}

function drop(task: Task, place: string): void {
  const fields = changeFor(task, place);
  if (fields) void editTask(task, fields);
}

/** What dropping a task somewhere changes; null where it changes nothing. A new day leaves the time as it is, and a task
 * that repeats keeps a date. */
export function changeFor(task: Task, place: string): Fields | null {
  const at = place.indexOf(":");
  const value = place.slice(at + 1) || null;
  if (place.slice(0, at) === "list") {
    const isThere = value === null ? !task.list : isSameList(value, task.list);
    return isThere ? null : { list: value };
  }
  const due = value && value + (task.due?.slice(10) ?? "");
  return due === task.due || (due === null && task.repeat) ? null : { due };
}
