/** What the chat service takes and gives, as its description at /openapi.json has it. */

export type Priority = "low" | "medium" | "high";
export type Filter = "pending" | "overdue" | "completed" | "all";
export type Source = "message" | "history" | "entity" | "pending" | "proposed" | "default";
export type Arguments = Record<string, unknown>;

export interface Task {
  id: string;
  title: string;
  description: string;
  status: "pending" | "completed";
  completed: boolean;
  priority: Priority;
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock. */
  due: string | null;
  created_at: string;
  version: number;
}

export interface Evidence {
  source: Source;
  entity?: string;
  /** Two offsets into the message, counted in code points. */
  span?: [number, number];
}

export interface Option {
  label: string;
  tool: string;
  arguments: Arguments;
  confidence?: number;
}

interface Decided {
  confidence: number;
  tool?: string | null;
  arguments?: Arguments;
  evidence?: Record<string, Evidence>;
}
export interface Call extends Decided {
  kind: "call";
  tool: string;
}
export interface Confirm extends Decided {
  kind: "confirm";
  tool: string;
  question: string;
  reason: "destructive" | "uncertain";
}
export interface Clarify extends Decided {
  kind: "clarify";
  missing: string[];
  question: string;
  options: Option[];
  reason: string;
}
export interface Nothing extends Decided {
  kind: "none";
  reason: string;
  reply?: string;
}
export type Decision = Call | Confirm | Clarify | Nothing;

export interface Deed {
  tool: string;
  arguments: Arguments;
  result: Arguments & { status?: string; task?: Task; tasks?: Task[]; task_id?: string; title?: string };
  undo?: string | null;
}

export interface Card {
  id: string;
  digest: string;
  card: string;
  expires_at: string;
  /** A task, or a machine, which has a name instead of a title. */
  record?: Task | (Pick<Machine, "id" | "name" | "location"> & { title?: undefined }) | null;
  undo_days?: number | null;
}

export interface FollowUp {
  label: string;
  tool: string;
  arguments: Arguments;
}

export interface Reply {
  turn_id: string;
  decisions: Decision[];
  results: Deed[];
  reply: string;
  confirmation: Card | null;
  next: FollowUp[];
  by_model?: boolean;
}

export interface Said {
  number: number;
  client_message_id?: string;
  message: string;
  reply: Reply;
  at: string;
}

/** A conversation as it stands: the last turns, and what is still open. */
export interface History {
  turns: Said[];
  cards?: Card[];
  question?: Clarify | null;
  thinking?: { client_message_id: string; message: string; at: string } | null;
}

export interface Tasks {
  tasks: Task[];
  count: number;
  next_offset?: number;
}

export type Scalar = number | string | boolean | null;

export interface Metric {
  name: string;
  unit: string | null;
  value: Scalar;
  at: string | null;
  /** Oldest first. */
  history: { at: string; value: Scalar }[];
}

export interface Machine {
  id: string;
  name: string;
  description: string;
  location: string;
  /** Null: it was never heard of, or does not say. */
  connected: boolean | null;
  last_seen: string | null;
  metrics: Metric[];
  told: { command: string; value: number | null; unit: string | null; at: string; outcome: string } | null;
}

export interface Machines {
  machines: Machine[];
  more: number;
}

export interface User {
  id: string;
  name: string;
  lang: string | null;
  zone: string | null;
}

export interface Session {
  signed_in: boolean;
  user: User | null;
  development: boolean;
  /** Whether there is an identity provider to sign in with. */
  login?: boolean;
  /** Whether there are machines to ask for. */
  machines?: boolean;
  version: string;
}

export interface TrailEntry {
  number: number;
  at: string;
  kind: string;
  conversation: string | null;
  body: unknown;
  hash: string;
}

export interface Verification {
  intact: boolean;
  entries: number;
  head: string;
  problem: string | null;
}
