/** Due dates as people say them, on the person's own calendar. */

import type { Task } from "../api/types";
import { locale, t } from "../words/words";

const DAY = 86_400_000;
const CLOCK: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};

/** Formatters are slow to make and quick to use. */
const made = new Map<string, Intl.DateTimeFormat>();
function formatter(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = tag + JSON.stringify(options);
  const found = made.get(key) ?? new Intl.DateTimeFormat(tag, options);
  made.set(key, found);
  return found;
}

/** The person's clock now, as the service writes a due date: YYYY-MM-DDTHH:MM. */
export function clock(now: Date, zone: string): string {
  const format = formatter("en-CA", { timeZone: zone, ...CLOCK });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

/** Days from today to a date: calendar days, whatever the clocks do. */
export function daysUntil(due: string, now: Date, zone: string): number {
  const midnight = (date: string): number => Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  return Math.round((midnight(due) - midnight(clock(now, zone))) / DAY);
}

export function isOverdue(task: Task, now: Date, zone: string): boolean {
  if (!task.due || task.status !== "pending") return false;
  const here = clock(now, zone);
  return task.due.length === 10 ? task.due < here.slice(0, 10) : task.due <= here;
}

export function dueText(due: string, now: Date, zone: string): string {
  const days = daysUntil(due, now, zone);
  const time = due.length > 10 ? timeText(due) : "";
  const day = dayText(due, days, now, zone);
  return time ? t("due.at", { day, time }) : day;
}

function dayText(due: string, days: number, now: Date, zone: string): string {
  const date = new Date(`${due.slice(0, 10)}T12:00:00Z`);
  const written = (options: Intl.DateTimeFormatOptions): string =>
    formatter(locale(), { timeZone: "UTC", ...options }).format(date);
  if (Math.abs(days) <= 1) {
    const relative = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(days, "day");
    return relative;
  }
  if (days < 0 && days >= -13) return new Intl.RelativeTimeFormat(locale(), { numeric: "always" }).format(days, "day");
  if (days > 0 && days < 7) return written({ weekday: "long" });
  const sameYear = due.slice(0, 4) === clock(now, zone).slice(0, 4);
  return written({ weekday: "short", day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) });
}

function timeText(due: string): string {
  const moment = new Date(`${due}:00Z`);
  return formatter(locale(), { timeZone: "UTC", timeStyle: "short" }).format(moment);
}

export function momentText(at: string, zone: string): string {
  return formatter(locale(), { timeZone: zone, dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));
}
