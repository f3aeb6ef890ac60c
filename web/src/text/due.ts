/** Due dates as people say them, on the person's own calendar. */

import type { Task } from "../api/types";
import { language, locale, t, type Word } from "../words/words";

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

/** A date so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(noon(day).getTime() + days * DAY).toISOString().slice(0, 10);
}

export function isOverdue(task: Task, now: Date, zone: string): boolean {
  if (!task.due || task.status !== "pending") return false;
  const here = clock(now, zone);
  return task.due.length === 10 ? task.due < here.slice(0, 10) : task.due <= here;
}

/** A due date as the service says it too (`spoken.yaml` of each language): one style for page, cards, answers and terminal. */
export function dueText(due: string, now: Date, zone: string): string {
  const days = daysUntil(due, now, zone);
  const time = due.length > 10 ? timeText(due) : "";
  const day = dayText(due, days, now, zone);
  return time ? t("due.at", { day, time }) : day;
}

/** A day within a week as a heading: "Tomorrow", "Wednesday". */
export function dayHeading(day: string, now: Date, zone: string): string {
  return capitalised(dayText(day, daysUntil(day, now, zone), now, zone));
}

/** Today in full: "Monday 16 November". */
export function todayText(now: Date, zone: string): string {
  const date = noon(clock(now, zone));
  const day = date.getUTCDate();
  const number = day === 1 ? t("due.first") : day;
  return capitalised(`${named(date, { weekday: "long" })} ${number} ${named(date, { month: "long" })}`);
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** The middle of a day: the same date in whatever zone it is formatted. */
function noon(due: string): Date {
  return new Date(`${due.slice(0, 10)}T12:00:00Z`);
}

function named(date: Date, options: Intl.DateTimeFormatOptions): string {
  return formatter(language(), { timeZone: "UTC", ...options }).format(date);
}

const NEAR: Record<number, Word> = { [-1]: "due.yesterday", 0: "due.today", 1: "due.tomorrow" };
const OWN_FORM: Record<number, Word> = { 1: "due.date.1", 8: "due.date.8", 11: "due.date.11" };

function dayText(due: string, days: number, now: Date, zone: string): string {
  const near = NEAR[days];
  if (near) return t(near);
  const date = noon(due);
  if (days > 0 && days < 7) return named(date, { weekday: "long" });
  const day = date.getUTCDate();
  const said = t(OWN_FORM[day] ?? "due.date", { day, month: named(date, { month: "long" }) });
  const sameYear = due.slice(0, 4) === clock(now, zone).slice(0, 4);
  return sameYear ? said : t("due.with_year", { date: said, year: date.getUTCFullYear() });
}

/** The time of a due date alone: "5 pm". */
export function timeText(due: string): string {
  const [hours = "", minutes = ""] = due.slice(11, 16).split(":");
  const half = t(Number(hours) < 12 ? "due.am" : "due.pm");
  if (!half) return `${hours}:${minutes}`;
  const hour = ((Number(hours) + 11) % 12) + 1;
  return `${hour}${minutes === "00" ? "" : `:${minutes}`} ${half}`;
}

export function momentText(at: string, zone: string): string {
  return formatter(locale(), { timeZone: zone, dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));
}
