/** One way to the service: every error is a `Problem`, and `Offline` where there was no answer at all. */

import { language } from "../words/words";

export class Problem extends Error {
  constructor(
    readonly kind: string,
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly retryAfter: number | null,
    /** What the person is to be asked before it is sent again. */
    readonly question: string | null = null,
  ) {
    super(`${kind}: ${detail}`);
  }

  /** Whether the same request may be answered later: it was too early, or the service is away. */
  get passes(): boolean {
    return this.kind === "turn_in_progress" || this.status === 429 || this.status >= 500;
  }
}

export class Offline extends Error {}

interface Options {
  body?: unknown;
  key?: string;
  accept?: string;
  version?: number;
  signal?: AbortSignal;
}

let onUnauthorised = (): void => undefined;

/** Calls back when the session turns out to be over. */
export function whenSignedOut(callback: () => void): void {
  onUnauthorised = callback;
}

export async function send(method: string, path: string, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: options.accept ?? "application/json",
    "Accept-Language": language(),
    "X-Sayso-Page": "1",
  };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (options.version !== undefined) headers["If-Match"] = String(options.version);
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, body, signal: options.signal, credentials: "same-origin" });
  } catch (error) {
    throw options.signal?.aborted ? error : new Offline(String(error));
  }
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  if (answer.status === 401) onUnauthorised();
  throw problem;
}

export async function ask<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const answer = await send(method, path, options);
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

async function problemOf(answer: Response): Promise<Problem> {
  const said = (await answer.json().catch(() => ({}))) as Partial<
    Record<"type" | "title" | "detail" | "question", string>
  >;
  const kind = said.type?.split(":").pop() ?? "failed";
  const wait = Number(answer.headers.get("Retry-After"));
  return new Problem(kind, answer.status, said.title ?? "", said.detail ?? "", wait > 0 ? wait : null, said.question);
}
