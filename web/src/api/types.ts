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
  /** An RFC 5545 rule without DTSTART: how it repeats from its due date on. */
  repeat?: string | null;
  /** The named list it is on. */
  list?: string | null;
  /** How long before it is due a reminder is wanted: an ISO 8601 duration. */
  remind?: string | null;
  created_at: string;
  version: number;
}

/** What can be read out of a text beside its title. */
export type QuickField = "due" | "repeat" | "priority" | "list" | "remind";

/** A text to be read as a task; what `keep` names stays in the title. */
export interface QuickText {
  text: string;
  keep: QuickField[];
}

/** A text as it was read: the task that would be added. */
export interface ReadTask {
  title: string;
  due: string | null;
  repeat: string | null;
  priority: Priority | null;
  list: string | null;
  remind: string | null;
  lang: string;
  /** Two offsets into the text for each value, counted in code points. */
  spans: Partial<Record<QuickField, [number, number]>>;
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
  reason: "destructive" | "uncertain" | "several";
  group?: string;
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

/** A task, or a machine, which has a name instead of a title. */
export type CardRecord = Task | (Pick<Machine, "id" | "name" | "location"> & { title?: undefined });

/** One of the things that a card for several asks about. */
export interface CardItem {
  id: string;
  card: string;
  tool: string;
  arguments: Arguments;
  record?: CardRecord | null;
}

export interface Card {
  id: string;
  digest: string;
  card: string;
  expires_at: string;
  record?: CardRecord | null;
  undo_days?: number | null;
  /** Of a card for several things, each of them. */
  items?: CardItem[];
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
  /** All cards of this turn, each for itself. */
  confirmations?: Card[];
  /** Cards and items of before that are open no more. */
  settled?: Record<string, string>;
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

/** A conversation by its last message. */
export interface Spoken {
  id: string;
  at: string;
  words: string | null;
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

/** Today on the person's own calendar. */
export interface Day {
  date: string;
  /** Completed today, whenever it was due. */
  done: number;
  /** Open and due today. */
  left: number;
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
  erased: number;
  head: string;
  problem: string | null;
}

/** A reminder that rang, or one that is still to come today. */
export interface Reminder {
  id: string;
  task_id: string;
  title: string;
  due: string;
  remind_at: string;
  rang_at: string | null;
  late_by_minutes: number | null;
}

export interface Reminders {
  /** Rang and not dealt with, the newest first. */
  ringing: Reminder[];
  /** The rest of today, the soonest first. */
  coming: Reminder[];
}
