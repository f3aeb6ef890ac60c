/** What is done to the list by hand: shown at once, sent under a key of its own, taken back by a click. */

import { ask, Offline, Problem } from "../api/http";
import type { Deed, Priority, Reply, Task } from "../api/types";
import { t } from "../words/words";
import { tell } from "./notice";
import { applyDeed, known, list, place, refreshSoon, remove } from "./tasks";

export interface Fields {
  title?: string;
  description?: string | null;
  priority?: Priority;
  due?: string | null;
}

type Clicked = Reply & { undo?: string | null };

export async function addTask(fields: Fields & { title: string }): Promise<boolean> {
  return act("POST", "/v1/tasks", { body: fields, said: title => t("done.added", { title }), title: fields.title });
}

export async function editTask(task: Task, fields: Fields): Promise<boolean> {
  const { description = task.description, ...rest } = fields;
  return act("PATCH", `/v1/tasks/${task.id}`, {
    show: () => place({ ...task, ...rest, description: description ?? "" }),
    body: fields,
    version: task.version,
    said: title => t("done.changed", { title }),
    title: fields.title ?? task.title,
  });
}

export async function toggleTask(task: Task): Promise<boolean> {
  const done = task.status === "pending";
  return act("POST", `/v1/tasks/${task.id}/${done ? "complete" : "reopen"}`, {
    show: () => place({ ...task, status: done ? "completed" : "pending", completed: done }),
    said: title => t(done ? "done.completed" : "done.reopened", { title }),
    title: task.title,
  });
}

export async function deleteTask(task: Task): Promise<boolean> {
  return act("DELETE", `/v1/tasks/${task.id}`, {
    show: () => remove(task.id),
    said: title => t("done.deleted", { title }),
    title: task.title,
  });
}

/** Take back one action. Whether it was; the words say what came of it. */
export async function takeBack(undo: string): Promise<{ worked: boolean; words: string }> {
  try {
    const reply = await ask<Reply>("POST", "/v1/undo", { body: { undo } });
    const worked = reply.results.some(deed => deed.result.status === "success");
    for (const deed of reply.results) applyDeed(deed);
    refreshSoon();
    return { worked, words: reply.reply };
  } catch (error) {
    return { worked: false, words: wordsOf(error) };
  }
}

export function wordsOf(error: unknown): string {
  if (error instanceof Offline) return t("problem.offline");
  if (error instanceof Problem) return error.detail || error.title || t("problem.failed");
  console.error(error);
  return t("problem.failed");
}

interface Act {
  /** What it will have done, shown before there is an answer; it is taken off again where there is none. */
  show?: () => void;
  body?: unknown;
  version?: number;
  title: string;
  said: (title: string) => string;
}

async function act(method: string, path: string, { show, body, version, title, said }: Act): Promise<boolean> {
  const before = list.get();
  show?.();
  const key = crypto.randomUUID();
  try {
    const reply = await twice(() => ask<Clicked>(method, path, { body, version, key }));
    const failed = reply.results.find(deed => deed.result.status !== "success");
    if (failed) throw new Problem("refused", 409, "", String(failed.result.error_message ?? reply.reply), null);
    for (const deed of reply.results) applyDeed(deed);
    const undo = reply.undo ?? reply.results[0]?.undo;
    tell(said(title), undo ? { undo: () => void undoNotice(undo) } : {});
    return true;
  } catch (error) {
    list.set(now => ({ ...now, tasks: before.tasks }));
    refreshSoon();
    tell(wordsOf(error), { bad: true });
    return false;
  }
}

async function undoNotice(undo: string): Promise<void> {
  const { worked, words } = await takeBack(undo);
  tell(words || t("done.undone"), { bad: !worked });
}

/** Once more where no answer came: the key makes both one. */
async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Offline) || !navigator.onLine) throw error;
    await new Promise(resolve => setTimeout(resolve, 400));
    return attempt();
  }
}

/** The task that a call or a question is about, as far as the page has seen it. */
export function taskOf(deed: Pick<Deed, "arguments">): Task | undefined {
  const id = deed.arguments.task_identifier ?? deed.arguments.task_id;
  return typeof id === "string" ? known.get(id) : undefined;
}
