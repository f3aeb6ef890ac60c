/** What is done to the list by hand: shown at once, sent under a key of its own, taken back by a click. */

import { ask, Offline, Problem } from "../api/http";
import { type Priority, resultOf } from "../api/parts";
import type { CallResult, QuickText, ReadTask, Reply, Task } from "../api/types";
import { dueText } from "../text/due";
import { t } from "../words/words";
import { tell } from "./notice";
import { zone } from "./session";
import { applyDeed, known, list, place, refreshSoon, remove } from "./tasks";

export interface Fields {
  title?: string;
  description?: string | null;
  priority?: Priority;
  due?: string | null;
  repeat?: string | null;
  list?: string | null;
  remind?: string | null;
}

export interface NewText extends QuickText {
  list?: string;
  /** Ask first where an open task has the same title. */
  unless_open?: boolean;
}

/** Add a text as a task; the service reads it. Whether it was added, or the question that is to be answered first. */
export async function addText(typed: NewText): Promise<boolean | string> {
  const said = (title: string): string => t("done.added", { title });
  let question: string | null = null;
  const added = await act("POST", "/v1/tasks", {
    body: typed,
    said,
    title: typed.text,
    asks: words => {
      question = words;
    },
  });
  return question ?? added;
}

/** What a text would be added as. */
export async function readText(typed: QuickText, signal: AbortSignal): Promise<ReadTask> {
  return ask<ReadTask>("POST", "/v1/tasks/read", { body: typed, signal });
}

export async function editTask(task: Task, fields: Fields): Promise<boolean> {
  const { description = task.description, ...rest } = fields;
  return act("PATCH", `/v1/tasks/${task.id}`, {
    show: () => place({ ...task, ...rest, description: description ?? "" }),
    body: fields,
    seen: task,
    said: title => t("done.changed", { title }),
    title: fields.title ?? task.title,
  });
}

/** With the version that is seen: a window that is behind must not complete the next date of a repeating task. */
export async function toggleTask(task: Task): Promise<boolean> {
  const done = task.status === "pending";
  return act("POST", `/v1/tasks/${task.id}/${done ? "complete" : "reopen"}`, {
    show: () => place({ ...task, status: done ? "completed" : "pending", completed: done }),
    seen: task,
    said: (title, now) =>
      done && now?.status === "pending" && now.due
        ? t("done.completed_until", { title, due: dueText(now.due, new Date(), zone()) })
        : t(done ? "done.completed" : "done.reopened", { title }),
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
  /** The task as it was shown: where it has changed since, it is left alone. */
  seen?: Task;
  title: string;
  said: (title: string, now: Task | undefined) => string;
  /** Takes the question that the service would have answered first. */
  asks?: (question: string) => void;
  /** Whether nothing is said of an error: what was wanted is so already. */
  excuses?: (error: unknown) => boolean;
}

/** The versions that clicks under way will leave: whoever clicks again meanwhile has seen what they do. */
const underWay = new Map<string, Promise<number | undefined>>();

/** Do something by a click; whether it was done. */
export async function act(method: string, path: string, click: Act): Promise<boolean> {
  const { show, body, seen, title, said, asks, excuses } = click;
  const before = list.get();
  show?.();
  const key = crypto.randomUUID();
  const earlier = seen && underWay.get(seen.id);
  const answer = (async () => {
    const version = (await earlier) ?? seen?.version;
    return twice(() => ask<Reply>(method, path, { body, version, key }));
  })();
  if (seen) follow(seen.id, answer);
  try {
    const reply = await answer;
    const failed = reply.results.find(deed => deed.result.status !== "success");
    if (failed) throw new Problem("refused", 409, "", String(failed.result.error_message ?? reply.reply), null);
    for (const deed of reply.results) applyDeed(deed);
    const undo = reply.undo ?? reply.results[0]?.undo;
    const task = taskIn(reply);
    tell(said(task?.title ?? title, task), undo ? { undo: () => void undoNotice(undo) } : {});
    return true;
  } catch (error) {
    list.set(now => ({ ...now, tasks: before.tasks }));
    refreshSoon();
    if (asks && error instanceof Problem && error.question) asks(error.question);
    else if (!excuses?.(error)) tell(wordsOf(error), { bad: true });
    return false;
  }
}

const taskIn = ({ results: [first] }: Reply): Task | undefined => first && resultOf(first).task;

function follow(id: string, answer: Promise<Reply>): void {
  const version = answer.then(
    reply => taskIn(reply)?.version,
    () => undefined,
  );
  underWay.set(id, version);
  void version.then(() => {
    if (underWay.get(id) === version) underWay.delete(id);
  });
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
export function taskOf(deed: Pick<CallResult, "arguments">): Task | undefined {
  const id = deed.arguments.task_identifier ?? deed.arguments.task_id;
  return typeof id === "string" ? known.get(id) : undefined;
}
