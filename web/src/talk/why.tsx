import { useEffect, useRef } from "react";
import type { Decision } from "../api/parts";
import type { Evidence } from "../api/types";
import { known } from "../state/tasks";
import { Shown } from "../text/shown";
import { segments } from "../text/spans";
import { locale, t } from "../words/words";
import { argumentName, lookUp, toolName, valueText } from "./arguments";

/** The evidence: the words that counted, what they were taken for, and how sure that is. */
export function Why({ message, decisions }: { message: string; decisions: Decision[] }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section
      ref={panel}
      aria-label={t("why.label")}
      className="rise scroll-mb-6 mt-2 rounded-2xl border border-line bg-surface p-4 text-sm"
    >
      <p className="text-xs font-semibold text-soft">{t("why.words")}</p>
      <p className="mt-1 text-[0.9375rem]">
        <Marked message={message} decisions={decisions} />
      </p>
      <ol className="mt-4 flex flex-col gap-4">
        {decisions.map((decision, at) => (
          <li key={at}>
            <Decided decision={decision} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The message with the words marked that a value came from. */
export function Marked({ message, decisions }: { message: string; decisions: Decision[] }) {
  return (
    <bdi className="whitespace-pre-line">
      {segments(message, decisions).map(({ text, names }, at) =>
        names.length ? (
          <mark key={at} className="rounded bg-mark px-0.5 py-px text-ink" title={names.map(argumentName).join(", ")}>
            <Shown text={text} breaks />
          </mark>
        ) : (
          <Shown key={at} text={text} breaks />
        ),
      )}
    </bdi>
  );
}

/** One decision with its evidence. */
export function Decided({ decision }: { decision: Decision }) {
  const reason = "reason" in decision ? lookUp(`why.reason.${decision.reason}`) : null;
  const values = decision.arguments ?? {};
  const names = [...new Set([...Object.keys(values), ...Object.keys(decision.evidence ?? {})])];
  return (
    <>
      <p>
        {decision.tool && <strong className="font-semibold">{toolName(decision.tool)}: </strong>}
        {t(`why.kind.${decision.kind}`)}
        {reason && `, ${reason}`}
      </p>
      <Sure confidence={decision.confidence} />
      {names.length > 0 && (
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {names.map(name => (
            <div key={name} className="contents">
              <dt className="text-soft">{argumentName(name)}</dt>
              <dd className="min-w-0">
                {name in values && (
                  <span className="font-medium">
                    <Shown text={valueText(name, values[name])} />
                  </span>
                )}
                <From evidence={decision.evidence?.[name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function From({ evidence }: { evidence: Evidence | undefined }) {
  if (!evidence) return null;
  const task = evidence.entity ? known.get(evidence.entity) : undefined;
  const isModel = evidence.source === "proposed";
  return (
    <span className={`block text-[0.8125rem] ${isModel ? "text-model" : "text-soft"}`}>
      {t(`why.source.${evidence.source}`)}
      {task && (
        <>
          {", "}
          <Shown text={t("why.matched", { title: task.title })} />
        </>
      )}
    </span>
  );
}

function Sure({ confidence }: { confidence: number }) {
  const percent = new Intl.NumberFormat(locale(), { style: "percent" }).format(confidence);
  return (
    <p className="mt-1.5 flex items-center gap-2.5 text-[0.8125rem] text-soft">
      <progress className="sure" value={confidence} max={1} aria-label={t("why.sure", { percent })} />
      {t("why.sure", { percent })}
    </p>
  );
}
