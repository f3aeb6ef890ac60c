/** The list in parts, as one looks at it: what is late, what is for today, what can wait. */

import type { Task } from "../api/types";
import { daysUntil, isOverdue } from "../text/due";

export const GROUPS = ["overdue", "today", "tomorrow", "week", "later", "someday", "completed"] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf(task: Task, now: Date, zone: string): Group {
  if (task.status === "completed") return "completed";
  if (!task.due) return "someday";
  if (isOverdue(task, now, zone)) return "overdue";
  const days = daysUntil(task.due, now, zone);
  if (days <= 0) return "today";
  if (days === 1) return "tomorrow";
  return days < 7 ? "week" : "later";
}

export function grouped(tasks: Task[], now: Date, zone: string): [Group, Task[]][] {
  const parts = new Map<Group, Task[]>();
  for (const task of tasks) {
    const group = groupOf(task, now, zone);
    parts.set(group, [...(parts.get(group) ?? []), task]);
  }
  return GROUPS.flatMap(group => (parts.has(group) ? [[group, parts.get(group)!] as [Group, Task[]]] : []));
}
