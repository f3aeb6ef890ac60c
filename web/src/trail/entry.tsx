import { type Decision, resultOf } from "../api/parts";
import type { CallResult, Card, TrailEntry } from "../api/types";
import { taskOf } from "../state/clicks";
import { ArgumentsOf, lookUp, toolName } from "../talk/arguments";
import { ModelMark } from "../talk/turn";
import { Decided, Marked } from "../talk/why";
import { Shown, Spoken } from "../text/shown";
import { t } from "../words/words";

/** One entry: what it was, in words, and all of it on demand. */
export function EntryView({ entry, moment }: { entry: TrailEntry; moment: TrailEntry[] }) {
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 border-line py-2.5 not-last:border-b max-sm:grid-cols-1">
      <p className="text-[0.8125rem] font-medium text-soft">{lookUp(`trail.kind.${entry.kind}`) ?? entry.kind}</p>
      <div className="min-w-0">
        {entry.body === null ? (
          <p className="text-soft italic">{t("trail.erased")}</p>
        ) : (
          <Body entry={entry} moment={moment} />
        )}
        <details className="mt-1 text-[0.8125rem] text-soft">
          <summary className="w-max rounded">{t("trail.details")}</summary>
          <Evidence entry={entry} moment={moment} />
        </details>
      </div>
    </li>
  );
}

const messageOf = (moment: TrailEntry[]): string =>
  String((moment.find(entry => entry.kind === "message")?.body as { content?: string } | undefined)?.content ?? "");

function Body({ entry, moment }: { entry: TrailEntry; moment: TrailEntry[] }) {
  const body = entry.body as Record<string, unknown>;
  if (body.wanted) return <Guarded body={body} />;
  switch (entry.kind) {
    case "message":
      return <Shown text={String(body.content ?? "")} breaks />;
    case "reply":
      return (
        <>
          <Spoken text={String(body.text ?? "")} /> {Boolean(body.by_model) && <ModelMark />}
        </>
      );
    case "decision":
      return <Summary decision={body as unknown as Decision} />;
    case "question":
      return <Spoken text={String((body.card as Card | undefined)?.card ?? body.question ?? "")} />;
    case "card":
      return <p>{lookUp(`trail.state.${String(body.state)}`) ?? String(body.state)}</p>;
    case "undo":
      if (Array.isArray(body.numbers)) return <p>{t("trail.undone.group", { numbers: body.numbers.join(", ") })}</p>;
      return <p>{t("trail.undone", { number: Number(body.number) })}</p>;
    case "click":
      if (body.undo) return <p>{t("talk.undo")}</p>;
      return <Clicked deed={body as unknown as CallResult} />;
    case "call":
      return <Called deed={body as unknown as CallResult} />;
    default:
      return moment.length ? <Shown text={JSON.stringify(body)} /> : null;
  }
}

/** What a gateway wrote of a call to some server: it stands in the same trail. */
function Guarded({ body }: { body: Record<string, unknown> }) {
  const wanted = body.wanted as { server?: string; tool?: string };
  const question = (body.asks as { question?: string } | undefined)?.question;
  return (
    <p>
      <Shown text={[wanted.server, wanted.tool].filter(Boolean).join(": ")} />
      {question && (
        <>
          {" · "}
          <Shown text={question} />
        </>
      )}
      {body.failed !== undefined && (
        <span className={body.failed ? "text-warn" : "text-soft"}>
          {` · ${t(body.failed ? "trail.failed" : "trail.ok")}`}
        </span>
      )}
    </p>
  );
}

function Summary({ decision }: { decision: Decision }) {
  const reason = "reason" in decision ? lookUp(`why.reason.${decision.reason}`) : null;
  return (
    <p>
      {decision.tool && `${toolName(decision.tool)}: `}
      {t(`why.kind.${decision.kind}`)}
      {reason && `, ${reason}`}
    </p>
  );
}

function Clicked({ deed }: { deed: CallResult }) {
  const title = deed.arguments?.title ?? taskOf({ arguments: deed.arguments ?? {} })?.title;
  return (
    <p>
      {toolName(deed.tool)}
      {typeof title === "string" && (
        <>
          {": "}
          <Shown text={title} />
        </>
      )}
    </p>
  );
}

function Called({ deed }: { deed: CallResult }) {
  const result = resultOf(deed);
  const status = result.status;
  const title = result.title ?? result.task?.title;
  return (
    <p>
      {toolName(deed.tool)}
      {title && (
        <>
          {": "}
          <Shown text={title} />
        </>
      )}
      {status && (
        <span
          className={status === "success" ? "text-soft" : "text-warn"}
        >{` · ${t(status === "success" ? "trail.ok" : "trail.failed")}`}</span>
      )}
    </p>
  );
}

function Evidence({ entry, moment }: { entry: TrailEntry; moment: TrailEntry[] }) {
  const body = entry.body as Record<string, unknown> | null;
  return (
    <div className="mt-2 rounded-xl bg-paper p-3 text-ink">
      {entry.kind === "decision" && body && (
        <>
          <p className="mb-2">
            <Marked message={messageOf(moment)} decisions={[body as unknown as Decision]} />
          </p>
          <Decided decision={body as unknown as Decision} />
        </>
      )}
      {(entry.kind === "call" || entry.kind === "click") && body && (
        <ArgumentsOf values={(body.arguments ?? {}) as Record<string, unknown>} leaveOut={[]} />
      )}
      <pre tabIndex={0} className="mt-2 max-h-60 overflow-auto font-mono text-xs leading-relaxed whitespace-pre-wrap">
        <Shown text={JSON.stringify(body, null, 2)} breaks />
      </pre>
      <p className="mt-2 font-mono text-xs break-all text-soft">
        {t("trail.number", { number: entry.number })} · {t("trail.seal")} {entry.hash}
      </p>
    </div>
  );
}
