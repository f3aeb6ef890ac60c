import { expect, test } from "vitest";
import type { Task } from "../api/types";
import type { Sort } from "../state/tasks";
import { dayHeading, todayText } from "../text/due";
import { chooseLanguage } from "../words/words";
import { sections } from "./sections";

const now = new Date("2026-11-16T09:00:00Z"); // a Monday; in Rome it is 10 o'clock
const rome = "Europe/Rome";
const task = (title: string, due: string | null, more: Partial<Task> = {}): Task =>
  ({ id: title, title, due, status: "pending", priority: "medium", ...more }) as Task;
const TASKS = [
  task("pay", "2026-11-15"),
  task("call", "2026-11-16T09:30"),
  task("shop", "2026-11-16T18:00", { priority: "high" }),
  task("bake", "2026-11-17"),
  task("item 10", "2026-11-19"),
  task("item 9", "2026-11-22"),
  task("travel", "2026-11-23", { priority: "low" }),
  task("read", null),
  task("done", "2026-11-16", { status: "completed" }),
];
const shown = (sort: Sort): string[] =>
  sections(TASKS, sort, now, rome).map(
    ({ name, parts }) =>
      `${name}: ${parts.map(({ day, tasks }) => [day, ...tasks.map(one => one.title)].filter(Boolean).join(" ")).join(", ")}`,
  );

test("by date: overdue first, then today, each day of the week that comes, later, and what has no date", () => {
  expect(shown("date")).toEqual([
    "overdue: pay call",
    "today: 2026-11-16 shop",
    "soon: 2026-11-17 bake, 2026-11-19 item 10, 2026-11-22 item 9",
    "later: travel",
    "someday: read",
    "completed: done",
  ]);
});

test("by priority, and by name, in which numbers count as numbers", () => {
  expect(shown("priority")).toEqual([
    "high: shop",
    "medium: pay call bake item 10 item 9 read",
    "low: travel",
    "completed: done",
  ]);
  expect(shown("name")).toEqual(["named: bake call item 9 item 10 pay read shop travel", "completed: done"]);
});

test("days as headings, in both languages", () => {
  const first = new Date("2026-11-01T12:00:00Z");
  expect(todayText(now, rome)).toBe("Monday 16 November");
  expect(dayHeading("2026-11-17", now, rome)).toBe("Tomorrow");
  chooseLanguage("it");
  expect(todayText(now, rome)).toBe("Lunedì 16 novembre");
  expect(todayText(first, rome)).toBe("Domenica 1° novembre");
  expect(dayHeading("2026-11-18", now, rome)).toBe("Mercoledì");
  chooseLanguage("en");
});
