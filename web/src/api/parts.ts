/** Names for parts of the API's types, and types for what the API's description leaves open: the result of a tool, and
 * what a card is about. */

import type { Call, CallResult, Card, CardItem, Machine, Metric, ReadTask, Reply, Task } from "./types";

export type Arguments = Call["arguments"];
export type Priority = Task["priority"];
export type QuickField = keyof ReadTask["spans"];
export type Scalar = Metric["value"];
/** The `filter` of GET /v1/tasks. */
export type Filter = "pending" | "overdue" | "completed" | "all";

/** Each kind has some of these; read like this, nobody has to ask which. */
type Decided = { tool?: string | null } & Partial<Pick<Call, "arguments" | "evidence">>;
export type Decision = Reply["decisions"][number] & Decided;

/** What the tools of the task list give. */
export type Result = Arguments & { status?: string; task?: Task; task_id?: string; title?: string };

/** A deed of the trail may have none. */
export function resultOf(deed: CallResult): Result {
  return deed.result ?? {};
}

/** A task, or a machine, which has a name instead of a title. */
export type CardRecord = Task | (Pick<Machine, "id" | "name" | "location"> & { title?: undefined });

export function recordOf({ record }: Card | CardItem): CardRecord | null {
  return record as CardRecord | null;
}
