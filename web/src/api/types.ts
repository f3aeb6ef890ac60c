/** The HTTP API's types. Written by `make reference` from the service's description: change them there. */

/** The result of a case: one or more decisions, in the order of the message. */
export interface Answer {
  /** The case's id. */
  id: string;
  /** The language of the message. */
  lang: string;
  /** In the order of the message. */
  decisions: (Call | Confirm | Clarify | Nothing)[];
  /** Up to three calls that the user may want next. */
  next?: FollowUp[];
}

/** Run it now. */
export interface Call {
  /** The kind of decision. */
  kind: "call";
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** How sure, from 0 to 1. */
  confidence: number;
  /** Where each argument comes from. */
  evidence?: Record<string, Evidence>;
}

/** What a person is shown before something runs that needs their yes. Written by the server alone. */
export interface Card {
  /** Answer it at /v1/confirmations/{id}. */
  id: string;
  /** Send it with the answer. */
  digest: string;
  /** What to show. */
  card: string;
  /** Until when it can be answered. */
  expires_at: string;
  /** The thing that it is about, as it is now, if there is one. */
  record: Record<string, unknown> | null;
  /** For how many days what a yes does can be taken back. */
  undo_days: number | null;
  /** Of a card for several things, each of them: one yes runs them all, or those that are left. */
  items: CardItem[];
}

/** One of the things that a card for several asks about. */
export interface CardItem {
  /** Name it in `items` of the answer, unless the person takes it out. */
  id: string;
  /** The question about this one alone. */
  card: string;
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** The thing that it is about, as it is now, if there is one. */
  record: Record<string, unknown> | null;
}

/** A message with its context. Unknown fields are ignored. */
export interface Case {
  /** The user's message, verbatim. */
  message: string;
  /** The user's time, with offset. The default over HTTP is the server's time. */
  now?: string | null;
  /** Returned with the answer. */
  id?: string;
  /** The domain. */
  pack?: "devices" | "tasks";
  /** The language, a BCP-47 tag. Detected if not given. */
  lang?: string | null;
  /** The user. Over HTTP, the authenticated user. */
  user?: Record<string, unknown>;
  /** The user's items: `kind`, `id`, and the fields of the pack. */
  entities?: Entity[];
  /** Earlier turns, oldest first. */
  history?: Turn[];
  /** The open question of the last turn. */
  pending?: Confirm | Clarify | null;
  /** Earlier choices, which are offered first. */
  preferences?: Preference[];
  /** A tool call that a language model proposes. */
  proposed?: Proposal | null;
}

/** How often the list has changed. */
export interface Changes {
  /** Grows with each change. */
  changes: number;
}

/** A way to reach the person. */
export interface Channel {
  /** What routes call it. */
  id: string;
  /** A browser, or an address. */
  kind: "push" | "address";
  /** What the person calls it. */
  label: string;
}

/** All ways to reach the person. */
export interface Channels {
  /** The oldest first. */
  channels: Channel[];
}

/** Something is missing, not found or ambiguous. */
export interface Clarify {
  /** The kind of decision. */
  kind: "clarify";
  /** The tool's name; null if the tool is not known. */
  tool: string | null;
  /** The tool's arguments. */
  arguments?: Record<string, unknown>;
  /** The names of missing arguments. */
  missing?: string[];
  /** How sure, from 0 to 1. */
  confidence: number;
  /** The question for the user. */
  question: string;
  /** Possible answers, best first. */
  options?: Option[];
  /** Why Sayso asks. */
  reason: "missing" | "ambiguous" | "not_found" | "invalid" | "low_confidence";
}

/** Run it after the user confirms. */
export interface Confirm {
  /** The kind of decision. */
  kind: "confirm";
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** How sure, from 0 to 1. */
  confidence: number;
  /** Where each argument comes from. */
  evidence?: Record<string, Evidence>;
  /** The question for the user. */
  question: string;
  /** Why confirmation is required. */
  reason: "destructive" | "uncertain" | "several";
  /** Decisions with the same group are one question: one yes confirms all of them. */
  group?: string;
}

/** What a person says to a card. */
export interface ConfirmationAnswer {
  /** What the person said. */
  answer: "yes" | "no";
  /** The digest of the card that the person was shown: a yes to another card counts for nothing. */
  digest: string;
  /** Of a card for several things, the ids of the `items` that a yes is for: the person took the others out, and they are declined. Without it a yes is for all. An id that is not on the card is refused. */
  items?: string[] | null;
}

/** A conversation. */
export interface Conversation {
  /** What its messages are sent to. */
  id: string;
}

/** The last conversations, the one used last first. */
export interface Conversations {
  /** At most as many as were asked for. */
  conversations: Spoken[];
}

/** A call that ran, and what the tool gave. */
export interface Deed {
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** As the tool gives it over MCP; `status` says whether it worked. */
  result: Record<string, unknown>;
  /** Where it can be taken back: send it to /v1/undo. What one yes did has the same one, and is taken back at once. */
  undo?: string;
}

/** Who you say you are. */
export interface DevelopmentSignIn {
  /** Any name. */
  name: string;
  /** A time zone of the IANA's list. */
  zone?: string | null;
  /** A BCP-47 tag. */
  lang?: string | null;
}

/** One of the user's items, as the pack's list tool returns it. The pack defines the other fields. */
export interface Entity {
  /** The kind of item, as the pack names it. */
  kind: string;
  /** Its id in tool calls. */
  id: string;
  [more: string]: unknown;
}

/** Where the value of an argument comes from. */
export interface Evidence {
  /** The message, an earlier turn, an item, or the open question. */
  source: "message" | "history" | "entity" | "pending" | "proposed" | "default";
  /** The id of the item. */
  entity?: string;
  /** Two offsets into the message, in characters. */
  span?: [number, number];
}

/** Where the request is wrong. */
export interface Fault {
  /** In which part of it. */
  where: "body" | "query" | "path" | "header";
  /** The place in it, as a JSON pointer. */
  pointer: string;
  /** What is wrong there. */
  detail: string;
}

/** A call that the user may want next. Sayso only offers it. */
export interface FollowUp {
  /** The text for the user. */
  label: string;
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments?: Record<string, unknown>;
}

/** The last messages of a conversation, oldest first, and what is open in it. */
export interface History {
  /** `undo` is there only where something can still be taken back. */
  turns: Said[];
  /** Cards that can still be answered, oldest first. */
  cards: Card[];
  /** The question that the next message may answer. */
  question: Clarify | null;
  /** The message that is being answered. */
  thinking: Waiting | null;
}

/** A machine. */
export interface Machine {
  /** As the tools of the devices take it. */
  id: string;
  /** What it is called. */
  name: string;
  /** What its owner says of it. */
  description: string;
  /** Where it stands, if that is known. */
  location: string;
  /** Null: it was never heard of, or does not say. */
  connected: boolean | null;
  /** When it was last heard of. */
  last_seen: string | null;
  /** What it measures. */
  metrics: Metric[];
  /** What it was told last, if anything. */
  told: Told | null;
}

/** The person's machines, by name. */
export interface Machines {
  /** As many as were asked for. */
  machines: Machine[];
  /** How many there are beside these. */
  more: number;
}

/** Something that was made. */
export interface Made {
  /** What routes call it. */
  id: string;
}

/** A metric with its latest value, and its last readings. */
export interface Metric {
  /** What is measured, as the machine calls it. */
  name: string;
  /** In what, if that is known. */
  unit: string | null;
  /** A number, a text, or whether it is so; null: not known. */
  value: boolean | number | string | null;
  /** When it was measured; null: never. */
  at: string | null;
  /** Oldest first; kept for an hour. */
  history: Point[];
}

/** An address to be reminded at. */
export interface NewChannel {
  /** As Apprise writes it. It is sealed, and no route gives it back. */
  address: string;
  /** What to call it. */
  label: string;
}

/** What a person says. */
export interface NewMessage {
  /** The client's own name for the message: sent again, it is answered again and done once. It may not be `card`, an id and an answer: turns that answer a card have such names. */
  client_message_id: string;
  /** The words, verbatim. */
  content: string;
}

/** A task to be added, by its title or by a text that it is read out of. */
export interface NewTask {
  /** What is to be done. Either this is given or `text`. */
  title?: string;
  /** What was typed. Any text is a task; the fields are read out of it. */
  text?: string;
  /** Values that stay in the title as they were typed. */
  keep?: ("due" | "repeat" | "priority" | "list" | "remind")[];
  /** Details. */
  description?: string;
  /** How much it matters. */
  priority?: "low" | "medium" | "high";
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock. */
  due?: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat?: string | null;
  /** The named list to put it on. */
  list?: string | null;
  /** How long before it is due a reminder is wanted, as an ISO 8601 duration. With null it does not ring. */
  remind?: string | null;
  /** Add nothing if an open task has this title; answer 409 `duplicate` instead. */
  unless_open?: boolean;
}

/** Call no tool. */
export interface Nothing {
  /** The kind of decision. */
  kind: "none";
  /** How sure, from 0 to 1. */
  confidence: number;
  /** Why nothing runs. */
  reason: "out_of_scope" | "smalltalk" | "unsupported" | "cancelled" | "empty";
  /** A reply for the user. */
  reply?: string;
}

/** One possible answer to a question. */
export interface Option {
  /** The text for the user. */
  label: string;
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** How sure, from 0 to 1. */
  confidence?: number;
}

/** What was measured at a time. */
export interface Point {
  /** When. */
  at: string;
  /** A number, a text, or whether it is so; null: not known. */
  value: boolean | number | string | null;
}

/** What the user chose before among several items. */
export interface Preference {
  /** The ambiguous words. */
  said: string;
  /** The id of the chosen item. */
  chose: string;
  /** How often. */
  times?: number;
}

/** An error, as RFC 9457 has it: one text for each kind, in the person's language. */
export interface Problem {
  /** Names the kind of the problem. */
  type: string;
  /** The kind, in the person's language. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** What to do next, in the person's language. */
  detail: string;
  /** With `invalid`: where the request is wrong, the first 20 places. */
  errors?: Fault[];
  /** With `duplicate`: what to ask the person before it is sent again. */
  question?: string;
}

/** A tool call that a language model proposes. Sayso checks every value. */
export interface Proposal {
  /** The tool's name. */
  tool: string;
  /** May be empty, partial, misnamed or wrong. */
  arguments?: unknown;
}

/** A case with a proposed call. */
export interface ProposedCase {
  /** The user's message, verbatim. */
  message: string;
  /** The user's time, with offset. The default over HTTP is the server's time. */
  now?: string | null;
  /** Returned with the answer. */
  id?: string;
  /** The domain. */
  pack?: "devices" | "tasks";
  /** The language, a BCP-47 tag. Detected if not given. */
  lang?: string | null;
  /** The user. Over HTTP, the authenticated user. */
  user?: Record<string, unknown>;
  /** The user's items: `kind`, `id`, and the fields of the pack. */
  entities?: Entity[];
  /** Earlier turns, oldest first. */
  history?: Turn[];
  /** The open question of the last turn. */
  pending?: Confirm | Clarify | null;
  /** Earlier choices, which are offered first. */
  preferences?: Preference[];
  /** The proposed tool call. */
  proposed: Proposal;
}

/** The key that a browser subscribes with. */
export interface PushKey {
  /** The public key, base64url; null if push is off. */
  key: string | null;
}

/** A text to be read as a new task. */
export interface QuickText {
  /** What was typed: any text is a task. */
  text: string;
  /** Values that stay in the title as they were typed. */
  keep?: ("due" | "repeat" | "priority" | "list" | "remind")[];
}

/** A text as it was read: the task that would be added. */
export interface ReadTask {
  /** The text without what was read out of it. */
  title: string;
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock. */
  due: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat: string | null;
  /** How much it matters. */
  priority: "low" | "medium" | "high" | null;
  /** The named list. */
  list: string | null;
  /** How long before it is due a reminder is wanted, as an ISO 8601 duration. With null it does not ring. */
  remind: string | null;
  /** The language that it was read in. */
  lang: string;
  /** For every value that was read, where the text has it: two offsets, counted in characters. */
  spans: Partial<Record<"due" | "repeat" | "priority" | "list" | "remind", [number, number]>>;
}

/** A reminder that rang, or one that is still to come today. */
export interface Reminder {
  /** What routes call it. A push message has the same id. */
  id: string;
  /** The task. */
  task_id: string;
  /** The title of the task. */
  title: string;
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock. */
  due: string;
  /** The moment it is for. */
  remind_at: string;
  /** When it rang; null if it is still to come. */
  rang_at: string | null;
  /** How late it rang; null if it was in time. */
  late_by_minutes: number | null;
}

/** When the person is reminded, on their own clock. */
export interface ReminderSettings {
  /** When a task without a time rings. */
  morning?: string;
  /** From when nothing rings; null for no quiet hours. */
  quiet_from?: string | null;
  /** Until when: then it rings. Null with `quiet_from`. */
  quiet_to?: string | null;
}

/** What rings, and what is to ring today. */
export interface Reminders {
  /** Those that rang and are not dealt with, the newest first. */
  ringing: Reminder[];
  /** Those of the rest of today, the soonest first. */
  coming: Reminder[];
}

/** What a turn comes to. */
export interface Reply {
  /** Names the turn in the trail. */
  turn_id: string;
  /** What the words came to, in their order. */
  decisions: (Call | Confirm | Clarify | Nothing)[];
  /** What ran. */
  results: Deed[];
  /** What is said to the person. */
  reply: string;
  /** The card that waits for an answer, if there is one; of several the last. */
  confirmation: Card | null;
  /** All cards of this turn that wait for an answer, each for itself. */
  confirmations: Card[];
  /** By their ids, the cards and items of before that are open no more, and what became of each. */
  settled: Record<string, "done" | "failed" | "stale" | "expired" | "declined" | "superseded">;
  /** What the person may want now: offered, never run. */
  next: FollowUp[];
  /** The last of `results` that can be taken back, if there is one. */
  undo: string | null;
  /** Whether a language model wrote the reply or proposed what was done. */
  by_model: boolean;
}

/** A message and what it came to. */
export interface Said {
  /** Its place in the conversation. */
  number: number;
  /** The client's own name for the message. */
  client_message_id: string;
  /** What the person said. */
  message: string;
  /** What it came to. */
  reply: Reply;
  /** When it was said. */
  at: string;
}

/** Whether somebody is signed in, and how somebody could. */
export interface Session {
  /** Whether somebody is. */
  signed_in: boolean;
  /** Who it is. */
  user: User | null;
  /** Whether anybody can say who they are, at /auth/development. */
  development: boolean;
  /** Whether there is an identity provider to sign in with, at /auth/login. */
  login: boolean;
  /** Whether the service reaches machines: /v1/machines. */
  machines: boolean;
  /** The version of the service. */
  version: string;
}

/** For how long a reminder is put off. */
export interface Snooze {
  /** Minutes from now. */
  minutes?: number;
}

/** A conversation, as a list shows it. */
export interface Spoken {
  /** What its messages are sent to. */
  id: string;
  /** When it was opened. */
  created_at: string;
  /** When it was last used. */
  at: string;
  /** What the person said last; null before they say something. */
  words: string | null;
}

/** A subscription as `PushSubscription.toJSON()` gives it. */
export interface Subscription {
  /** Of the push service. */
  endpoint: string;
  /** What the message is encrypted with. */
  keys: SubscriptionKeys;
  /** The device. */
  label?: string;
}

/** The keys of a browser's subscription. */
export interface SubscriptionKeys {
  /** The public key of the browser, base64url. */
  p256dh: string;
  /** The secret that the browser shares, base64url. */
  auth: string;
}

/** A task. */
export interface Task {
  /** What tools and routes call it. */
  id: string;
  /** What is to be done. */
  title: string;
  /** Details. */
  description: string;
  /** Whether it is done. */
  status: "pending" | "completed";
  /** The same, as yes or no. */
  completed: boolean;
  /** How much it matters. */
  priority: "low" | "medium" | "high";
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the person's own clock. */
  due: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat: string | null;
  /** The named list it is on. */
  list: string | null;
  /** How long before it is due a reminder is wanted, as an ISO 8601 duration. With null it does not ring. */
  remind: string | null;
  /** When it was added. */
  created_at: string;
  /** Counts its changes. */
  version: number;
}

/** What is to be changed about a task. */
export interface TaskChange {
  /** What it is called. */
  title?: string;
  /** Null takes it away. */
  description?: string | null;
  /** How much it matters. */
  priority?: "low" | "medium" | "high";
  /** Null takes it away. */
  due?: string | null;
  /** Null ends the repeat. */
  repeat?: string | null;
  /** The list to move it to; null takes it off its list. */
  list?: string | null;
  /** Null takes it away. */
  remind?: string | null;
}

/** A page of tasks, as the tool `list_tasks` gives it. */
export interface Tasks {
  /** As the tool has it. */
  status: "success";
  /** How many there are on this page. */
  count: number;
  /** Pending ones first, the soonest due first. */
  tasks: Task[];
  /** Where the next page begins; absent on the last. */
  next_offset?: number;
}

/** Today on the person's own calendar. */
export interface Today {
  /** Which day it is for the person. */
  date: string;
  /** How many tasks were completed today, whenever they were due. */
  done: number;
  /** How many are open and due today. */
  left: number;
}

/** What a machine was told last. */
export interface Told {
  /** What the command is called. */
  command: string;
  /** With what value, where it takes one. */
  value: number | null;
  /** The unit of the value. */
  unit: string | null;
  /** When. */
  at: string;
  /** What came of it; `unknown`: nobody can say. */
  outcome: "sent" | "done" | "delivered" | "refused" | "failed" | "expired" | "unsent" | "unknown";
}

/** A page of the person's trail. */
export interface Trail {
  /** In the order asked for. */
  entries: TrailEntry[];
  /** Ask with this as `after` for the next page; null on the last. */
  next: number | null;
}

/** Something that was decided or done, in the order in which it happened. */
export interface TrailEntry {
  /** Its place in the person's trail. */
  number: number;
  /** When it happened. */
  at: string;
  /** What it is: words, a decision, a call, a card, a click, and so on. */
  kind: string;
  /** Where it happened, if in a conversation. */
  conversation: string | null;
  /** What happened, as JSON; null once it was erased. */
  body: unknown;
  /** What the body is hashed with, in hexadecimal. */
  salt: string | null;
  /** Stays when the body is erased. */
  body_hash: string;
  /** Over this entry and the hash of the one before, in hexadecimal. */
  hash: string;
}

/** What came of a test message. */
export interface Tried {
  /** `gone`: the browser has unsubscribed. `refused`: the address may not be used. */
  outcome: "sent" | "failed" | "gone" | "refused";
  /** More about it, for programs; it may be empty. */
  detail: string;
}

/** An earlier message. */
export interface Turn {
  /** Who said it. */
  role: "user" | "assistant";
  /** The text, verbatim. */
  content: string;
  /** The ids that the turn showed, in order. */
  shown?: string[] | null;
}

/** What is to be taken back. */
export interface UndoWanted {
  /** What a result can be taken back by; without it, the last change. */
  undo?: string;
}

/** Who is signed in. */
export interface User {
  /** Who they are to the service. */
  id: string;
  /** What they are called, if the token says so. */
  name: string | null;
  /** The language they are answered in, unless they speak another. */
  lang: string;
  /** Their time zone: the clock by which tasks are due. */
  zone: string;
}

/** Whether the trail is as it was written. */
export interface Verification {
  /** Whether it is. */
  intact: boolean;
  /** How many there are, or come before the first that is wrong. */
  entries: number;
  /** How many of them were erased, each with a receipt in the trail. */
  erased: number;
  /** The last hash: keep it, and no later change of the past goes unnoticed. */
  head: string;
  /** What is wrong, if anything. */
  problem: string | null;
}

/** A message that still waits for its answer. */
export interface Waiting {
  /** Sent again under it, the message has its answer. */
  client_message_id: string;
  /** What the person said. */
  message: string;
  /** When it was said. */
  at: string;
}
