/** The list: what the service says, and at once what a click or a turn does to it. */

import { takeEarly } from "../api/early";
import { ask, Offline } from "../api/http";
import { type Filter, type Priority, resultOf } from "../api/parts";
import type { CallResult, Task, Tasks } from "../api/types";
import { isOverdue } from "../text/due";
import { refreshDaySoon } from "./day";
import { keep, mine, read } from "./kept";
import { zone } from "./session";
import { makeStore } from "./store";

export const SORTS = ["date", "priority", "name"] as const;
export type Sort = (typeof SORTS)[number];

export interface View {
  filter: Filter;
  search: string;
  priority: Priority | null;
  /** The named list. */
  list: string | null;
  sort: Sort;
}

export interface TaskList {
  view: View;
  tasks: Task[];
  more: number | null;
  /** The named lists of the tasks seen so far, by name. */
  lists: string[];
  loaded: boolean;
  /** Changed a moment ago: shown for a while, so that the eye finds it. */
  fresh: string | null;
}

const SAVED = mine("tasks");
const PAGE = 100;
const MOST = 1000;
const SORT = mine("sort");
export const OPEN: View = {
  filter: "pending",
  search: "",
  priority: null,
  list: null,
  sort: read<Sort>(SORT, "date"),
};

const saved = read<Task[] | null>(SAVED, null);
export const list = makeStore<TaskList>({
  view: OPEN,
  tasks: saved ?? [],
  more: null,
  lists: named(saved ?? []),
  loaded: saved !== null,
  fresh: null,
});
/** Every task seen since the page was opened, to name what a decision points at. */
export const known = new Map<string, Task>((saved ?? []).map(task => [task.id, task]));

let asked = 0;
let quietUntil = 0;
let waiting: ReturnType<typeof setTimeout> | undefined;
const QUIET = 400;

/** Fetch the list anew, but not while it is being changed here: what was done is shown already. */
export function refreshSoon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(again, Math.max(0, quietUntil - performance.now()));
}

function again(): void {
  if (quietUntil > performance.now()) refreshSoon();
  else void refresh();
}

/** Something is about to be done here: the service has better things to do than to list. */
export function hold(): void {
  quietUntil = performance.now() + QUIET;
}

/** The list was changed here: an answer that is under way is older than that. */
function changedHere(): void {
  asked++;
  hold();
  refreshSoon();
}

/** Fetch the list anew; an answer that a later question has overtaken is dropped. */
export async function refresh(): Promise<void> {
  const mineIs = ++asked;
  const { view } = list.get();
  try {
    const early = isOpenView(view) ? await takeEarly("tasks") : null;
    const wanted = view.sort === "date" ? list.get().tasks.length : MOST; // the service sorts by date alone
    const found = early && !(early.next_offset && wanted === MOST) ? early : await fetchPages(view, wanted);
    if (mineIs !== asked) return;
    for (const task of found.tasks) known.set(task.id, task);
    const more = found.next_offset ?? null;
    const isWhole = isOpenView(view) && more === null; // then a list that is not there is gone
    list.set(before => ({
      ...before,
      tasks: found.tasks,
      more,
      lists: named(found.tasks, isWhole ? [] : before.lists),
      loaded: true,
    }));
    if (isOpenView(view)) keep(SAVED, found.tasks);
    refreshDaySoon();
  } catch (error) {
    if (!(error instanceof Offline)) console.error(error);
  }
}

export async function loadMore(): Promise<void> {
  const { view, more } = list.get();
  if (more === null) return;
  const found = await fetchPage(view, more).catch(() => null);
  if (!found) return;
  for (const task of found.tasks) known.set(task.id, task);
  list.set(before => ({
    ...before,
    tasks: merged(before.tasks, found.tasks),
    more: found.next_offset ?? null,
    lists: named(found.tasks, before.lists),
  }));
}

export function showView(change: Partial<View>): void {
  list.set(before => ({ ...before, view: { ...before.view, ...change }, fresh: null }));
  if (change.sort) keep(SORT, change.sort);
  void refresh();
}

/** What a call did, shown before anything is fetched. */
export function applyDeed(deed: CallResult): void {
  const result = resultOf(deed);
  if (result.status !== "success" || result.changed === false) return;
  if (result.task) place(result.task);
  else if (deed.tool === "delete_task" && result.task_id) remove(result.task_id);
  else if (deed.tool !== "list_tasks") refreshSoon();
}

export function place(task: Task): void {
  known.set(task.id, task);
  list.set(before => {
    const others = before.tasks.filter(one => one.id !== task.id);
    const tasks = belongs(task, before.view) ? sorted([...others, task]) : others;
    return { ...before, tasks, lists: named([task], before.lists), fresh: task.id };
  });
  changedHere();
  save();
}

export function remove(id: string): void {
  list.set(before => ({ ...before, tasks: before.tasks.filter(one => one.id !== id) }));
  changedHere();
  save();
}

function save(): void {
  const { view, tasks } = list.get();
  if (isOpenView(view)) keep(SAVED, tasks);
}

function isOpenView(view: View): boolean {
  return view.filter === "pending" && !view.search && !view.priority && !view.list;
}

function belongs(task: Task, view: View): boolean {
  if (view.priority && task.priority !== view.priority) return false;
  if (view.list && !isSameList(view.list, task.list)) return false;
  if (view.search && !task.title.toLocaleLowerCase().includes(view.search.toLocaleLowerCase())) return false;
  if (view.filter === "overdue") return isOverdue(task, new Date(), zone());
  return view.filter === "all" || view.filter === task.status;
}

/** Names of lists are compared without case. */
export function isSameList(name: string, other: string | null | undefined): boolean {
  return name.toLowerCase() === other?.toLowerCase();
}

/** The names of the lists that these tasks are on, beside those that are known already; the same array if none is new. */
export function named(tasks: Task[], before: string[] = []): string[] {
  const names = [...before];
  for (const { list: name } of tasks) if (name && !names.some(one => isSameList(one, name))) names.push(name);
  return names.length === before.length ? before : names.sort((a, b) => a.localeCompare(b));
}

/** As the service sorts: open before done, the soonest first, what has no date last. */
export function sorted(tasks: Task[]): Task[] {
  const key = (task: Task): string =>
    [
      task.status === "pending" ? 0 : 1,
      task.due === null ? "9999" : task.due.length === 10 ? `${task.due}T99` : task.due,
      task.created_at,
      task.id,
    ].join(" ");
  return tasks
    .map(task => [key(task), task] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([, task]) => task);
}

function merged(before: Task[], more: Task[]): Task[] {
  const ids = new Set(more.map(task => task.id));
  return [...before.filter(task => !ids.has(task.id)), ...more];
}

/** As many as are wanted: those that are shown already, so that a list that was unrolled stays so. */
async function fetchPages(view: View, wanted: number): Promise<Tasks> {
  const found = await fetchPage(view, 0);
  while (found.next_offset !== undefined && found.tasks.length < Math.min(wanted, MOST)) {
    const next = await fetchPage(view, found.next_offset);
    found.tasks = merged(found.tasks, next.tasks);
    found.next_offset = next.next_offset;
  }
  return found;
}

async function fetchPage(view: View, offset: number): Promise<Tasks> {
  const query = new URLSearchParams({
    filter: view.filter,
    limit: String(PAGE),
    offset: String(offset),
  });
  if (view.search.trim()) query.set("search", view.search.trim());
  if (view.priority) query.set("priority", view.priority);
  if (view.list) query.set("list", view.list);
  return ask<Tasks>("GET", `/v1/tasks?${query}`);
}
