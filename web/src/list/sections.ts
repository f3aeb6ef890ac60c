/** The list in sections: by day (overdue, today, coming up, later), by priority, or from A to Z. */

import type { Task } from "../api/types";
import type { Sort } from "../state/tasks";
import { daysUntil, isOverdue } from "../text/due";
import { locale } from "../words/words";

const ORDER = ["overdue", "today", "soon", "later", "someday", "high", "medium", "low", "named", "completed"] as const;
export type SectionName = (typeof ORDER)[number];

export interface Section {
  name: SectionName;
  parts: Part[];
}

/** Tasks that are due on the same day, or where the section has no days, all of its tasks. */
export interface Part {
  day: string | null;
  tasks: Task[];
}

/** The sections that have tasks. The tasks are given in the order of their dates. */
export function sections(tasks: Task[], sort: Sort, now: Date, zone: string): Section[] {
  const found = new Map<SectionName, Section>();
  for (const task of sort === "name" ? byName(tasks) : tasks) {
    const name = sectionOf(task, sort, now, zone);
    const section = found.get(name) ?? { name, parts: [] };
    found.set(name, section);
    const day = name === "today" || name === "soon" ? task.due!.slice(0, 10) : null;
    const part = section.parts.find(one => one.day === day);
    if (part) part.tasks.push(task);
    else section.parts.push({ day, tasks: [task] });
  }
  return ORDER.flatMap(name => found.get(name) ?? []);
}

function sectionOf(task: Task, sort: Sort, now: Date, zone: string): SectionName {
  if (task.status === "completed") return "completed";
  if (sort === "name") return "named";
  if (sort === "priority") return task.priority;
  if (!task.due) return "someday";
  if (isOverdue(task, now, zone)) return "overdue";
  const days = daysUntil(task.due, now, zone);
  if (days <= 0) return "today";
  return days < 7 ? "soon" : "later";
}

function byName(tasks: Task[]): Task[] {
  const { compare } = new Intl.Collator(locale(), { numeric: true });
  return tasks.toSorted((a, b) => compare(a.title, b.title));
}
