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

/** A call that ran, and its result. */
export interface CallResult {
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** As the tool gives it over MCP; `status` says whether it worked. */
  result: Record<string, unknown>;
  /** Send it to /v1/undo to undo the call. Absent if the call cannot be undone. Calls that one yes confirmed share it and are undone together. */
  undo?: string;
}

/** The question that the user sees before a call that requires confirmation. Only the server writes it. */
export interface Card {
  /** Answer it at /v1/confirmations/{id}. */
  id: string;
  /** Send it with the answer. */
  digest: string;
  /** What to show. */
  card: string;
  /** Until when it can be answered. */
  expires_at: string;
  /** The item that the call changes, as it is now, if it exists. */
  record: Record<string, unknown> | null;
  /** For how many days the call can be undone. */
  undo_days: number | null;
  /** The items of a card for several. One yes runs all of them, or those listed in the answer. */
  items: CardItem[];
}

/** One item of a card for several. */
export interface CardItem {
  /** List it in `items` of the answer if the user confirms this item. */
  id: string;
  /** The question about this item. */
  card: string;
  /** The tool's name. */
  tool: string;
  /** The tool's arguments. */
  arguments: Record<string, unknown>;
  /** The item that the call changes, as it is now, if it exists. */
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

/** A way to reach the user. */
export interface Channel {
  /** The id. */
  id: string;
  /** A browser, or an address. */
  kind: "push" | "address";
  /** The user's name for it. */
  label: string;
}

/** All ways to reach the user. */
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

/** A user's answer to a card. */
export interface ConfirmationAnswer {
  /** The user's answer. */
  answer: "yes" | "no";
  /** The digest of the card that the user saw. An answer with another digest is refused. */
  digest: string;
  /** For a card with several items, the ids of the items that the user confirms. The others are declined. Without it, a yes confirms all. An id that is not on the card is refused. */
  items?: string[] | null;
}

/** A conversation. */
export interface Conversation {
  /** The id of the conversation. */
  id: string;
}

/** A conversation, as a list shows it. */
export interface ConversationSummary {
  /** The id of the conversation. */
  id: string;
  /** When it was opened. */
  created_at: string;
  /** When it was last used. */
  at: string;
  /** The user's last message; null before the first. */
  words: string | null;
}

/** The last conversations, the one used last first. */
export interface Conversations {
  /** At most as many as were asked for. */
  conversations: ConversationSummary[];
}

/** The name to sign in with in development. */
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
  /** A turn has `undo` only while it can be undone. */
  turns: MessageResult[];
  /** Cards that can still be answered, oldest first. */
  cards: Card[];
  /** The question that the next message may answer. */
  question: Clarify | null;
  /** The message that is being answered. */
  thinking: PendingMessage | null;
}

/** The last command that was sent to a machine. */
export interface LastCommand {
  /** The name of the command. */
  command: string;
  /** Its value, if it takes one. */
  value: number | null;
  /** The unit of the value. */
  unit: string | null;
  /** When. */
  at: string;
  /** Its result; `unknown` if it is not known whether it ran. */
  outcome: "sent" | "done" | "delivered" | "refused" | "failed" | "expired" | "unsent" | "unknown";
}

/** A machine. */
export interface Machine {
  /** The id, as the device tools take it. */
  id: string;
  /** The name. */
  name: string;
  /** The owner's description. */
  description: string;
  /** The location, if known. */
  location: string;
  /** Whether it is connected; null if unknown. */
  connected: boolean | null;
  /** When it last sent a message. */
  last_seen: string | null;
  /** What it measures. */
  metrics: Metric[];
  /** The last command, if any. */
  told: LastCommand | null;
}

/** The user's machines, by name. */
export interface Machines {
  /** As many as were asked for. */
  machines: Machine[];
  /** How many more machines there are. */
  more: number;
}

/** Something that was made. */
export interface Made {
  /** The id. */
  id: string;
}

/** A message and its result. */
export interface MessageResult {
  /** Its place in the conversation. */
  number: number;
  /** The client's id for the message. */
  client_message_id: string;
  /** The user's message. */
  message: string;
  /** The result. */
  reply: Reply;
  /** When it was said. */
  at: string;
}

/** A metric with its latest value, and its last readings. */
export interface Metric {
  /** What is measured, as the machine calls it. */
  name: string;
  /** The unit, if known. */
  unit: string | null;
  /** A number, a text or a boolean; null if unknown. */
  value: boolean | number | string | null;
  /** When it was measured; null if never. */
  at: string | null;
  /** The last readings, oldest first. They are stored for one hour. */
  history: Point[];
}

/** An address to be reminded at. */
export interface NewChannel {
  /** An Apprise URL. It is stored encrypted and never returned. */
  address: string;
  /** What to call it. */
  label: string;
}

/** A user's message. */
export interface NewMessage {
  /** The client's id for the message. A message that is sent again with the same id runs once and gets the same answer. Ids of the form `card ID ANSWER` are reserved. */
  client_message_id: string;
  /** The words, verbatim. */
  content: string;
}

/** A new task, given as a title or as free text. */
export interface NewTask {
  /** The title. Give either this or `text`. */
  title?: string;
  /** The text that the user typed. Sayso reads the fields from it; any text is valid. */
  text?: string;
  /** Values that stay in the title as they were typed. */
  keep?: ("due" | "repeat" | "priority" | "list" | "remind")[];
  /** Details. */
  description?: string;
  /** The priority. */
  priority?: "low" | "medium" | "high";
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time. */
  due?: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat?: string | null;
  /** The named list to put it on. */
  list?: string | null;
  /** The time between the reminder and the due date, as an ISO 8601 duration. Null means no reminder. */
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

/** A message that still waits for its answer. */
export interface PendingMessage {
  /** The client's id for the message. Send the message again with it to get the answer. */
  client_message_id: string;
  /** The user's message. */
  message: string;
  /** When it was said. */
  at: string;
}

/** What was measured at a time. */
export interface Point {
  /** When. */
  at: string;
  /** A number, a text or a boolean; null if unknown. */
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

/** An error in the format of RFC 9457, with one text for each kind, in the user's language. */
export interface Problem {
  /** Names the kind of the problem. */
  type: string;
  /** The kind, in the user's language. */
  title: string;
  /** The status of the answer. */
  status: number;
  /** What to do next, in the user's language. */
  detail: string;
  /** For `invalid`: the first 20 errors. */
  errors?: Fault[];
  /** For `duplicate`: the question to ask the user before you send it again. */
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
  /** The text that the user typed; any text is valid. */
  text: string;
  /** Values that stay in the title as they were typed. */
  keep?: ("due" | "repeat" | "priority" | "list" | "remind")[];
}

/** A text as it was read: the task that would be added. */
export interface ReadTask {
  /** The text without the values that were read. */
  title: string;
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time. */
  due: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat: string | null;
  /** The priority. */
  priority: "low" | "medium" | "high" | null;
  /** The named list. */
  list: string | null;
  /** The time between the reminder and the due date, as an ISO 8601 duration. Null means no reminder. */
  remind: string | null;
  /** The language that it was read in. */
  lang: string;
  /** For each value, its start and end in the text, in characters. */
  spans: Partial<Record<"due" | "repeat" | "priority" | "list" | "remind", [number, number]>>;
}

/** A reminder that rang, or one that is still to come today. */
export interface Reminder {
  /** The id. A push message has the same id. */
  id: string;
  /** The task. */
  task_id: string;
  /** The title of the task. */
  title: string;
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time. */
  due: string;
  /** When it should ring. */
  remind_at: string;
  /** When it rang; null if it is still to come. */
  rang_at: string | null;
  /** How late it rang; null if it was in time. */
  late_by_minutes: number | null;
}

/** When the user is reminded, in the user's own time. */
export interface ReminderSettings {
  /** When a task without a time rings. */
  morning?: string;
  /** The start of the quiet hours; null for none. */
  quiet_from?: string | null;
  /** The end of the quiet hours, when held reminders ring. Null if `quiet_from` is. */
  quiet_to?: string | null;
}

/** Reminders that rang, and those still to come today. */
export interface Reminders {
  /** Reminders that rang and are still open, newest first. */
  ringing: Reminder[];
  /** Reminders for the rest of today, soonest first. */
  coming: Reminder[];
}

/** The result of a turn. */
export interface Reply {
  /** Names the turn in the trail. */
  turn_id: string;
  /** The decisions, in the order of the message. */
  decisions: (Call | Confirm | Clarify | Nothing)[];
  /** The calls that ran. */
  results: CallResult[];
  /** The text to show to the user. */
  reply: string;
  /** The last of `confirmations`, or null. */
  confirmation: Card | null;
  /** The cards of this turn, each with its own answer. */
  confirmations: Card[];
  /** The cards and items of earlier turns that this turn closed, by id, with their state. */
  settled: Record<string, "done" | "failed" | "stale" | "expired" | "declined" | "superseded">;
  /** Calls that the user may want next. Sayso only offers them. */
  next: FollowUp[];
  /** The `undo` of the last result that can be undone, if any. */
  undo: string | null;
  /** Whether a language model wrote the reply or proposed what was done. */
  by_model: boolean;
}

/** The session, and the ways to sign in. */
export interface Session {
  /** Whether a user is signed in. */
  signed_in: boolean;
  /** The signed-in user. */
  user: User | null;
  /** Whether /auth/development accepts any name. */
  development: boolean;
  /** Whether there is an identity provider to sign in with, at /auth/login. */
  login: boolean;
  /** Whether /v1/machines is available. */
  machines: boolean;
  /** The version of the service. */
  version: string;
}

/** For how long a reminder is put off. */
export interface Snooze {
  /** Minutes from now. */
  minutes?: number;
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
  /** The id. */
  id: string;
  /** What is to be done. */
  title: string;
  /** Details. */
  description: string;
  /** Whether it is done. */
  status: "pending" | "completed";
  /** The same as a boolean. */
  completed: boolean;
  /** The priority. */
  priority: "low" | "medium" | "high";
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:MM, in the user's own time. */
  due: string | null;
  /** How it repeats from its due date on: an RFC 5545 rule without DTSTART. COUNT includes the date that is due now. */
  repeat: string | null;
  /** The named list it is on. */
  list: string | null;
  /** The time between the reminder and the due date, as an ISO 8601 duration. Null means no reminder. */
  remind: string | null;
  /** When it was added. */
  created_at: string;
  /** Counts its changes. */
  version: number;
}

/** The fields of a task to change. */
export interface TaskChange {
  /** The title. */
  title?: string;
  /** Null removes it. */
  description?: string | null;
  /** The priority. */
  priority?: "low" | "medium" | "high";
  /** Null removes it. */
  due?: string | null;
  /** Null ends the repeat. */
  repeat?: string | null;
  /** The list to move it to; null takes it off its list. */
  list?: string | null;
  /** Null removes it. */
  remind?: string | null;
}

/** A page of tasks, as the tool `list_tasks` gives it. */
export interface Tasks {
  /** Always `success`. */
  status: "success";
  /** How many there are on this page. */
  count: number;
  /** Pending ones first, the soonest due first. */
  tasks: Task[];
  /** Where the next page begins; absent on the last. */
  next_offset?: number;
}

/** Today on the user's calendar. */
export interface Today {
  /** The user's current day. */
  date: string;
  /** How many tasks were completed today, whenever they were due. */
  done: number;
  /** How many are open and due today. */
  left: number;
}

/** A page of the user's trail. */
export interface Trail {
  /** In the order asked for. */
  entries: TrailEntry[];
  /** Ask with this as `after` for the next page; null on the last. */
  next: number | null;
}

/** Something that was decided or done, in the order in which it happened. */
export interface TrailEntry {
  /** Its place in the user's trail. */
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

/** The result of a test message. */
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

/** The change to undo. */
export interface UndoRequest {
  /** The `undo` of a result. Without it, the last change is undone. */
  undo?: string;
}

/** Who is signed in. */
export interface User {
  /** The user's id. */
  id: string;
  /** The name, if the token has one. */
  name: string | null;
  /** The default language of answers. */
  lang: string;
  /** The time zone of due dates. */
  zone: string;
}

/** The result of verifying the trail. */
export interface Verification {
  /** Whether the trail is intact. */
  intact: boolean;
  /** The number of entries, or of those before the first wrong one. */
  entries: number;
  /** How many of them were erased, each with a receipt in the trail. */
  erased: number;
  /** The last hash. Keep a copy: it reveals any later change to earlier entries. */
  head: string;
  /** What is wrong, if anything. */
  problem: string | null;
}
