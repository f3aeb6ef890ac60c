import { useEffect, useMemo, useState } from "react";
import type { TrailEntry } from "../api/types";
import { Icon } from "../shell/icon";
import { wordsOf } from "../state/clicks";
import { zone } from "../state/session";
import { fits, moments, readTrail } from "../state/trail";
import { lookUp } from "../talk/arguments";
import { momentText } from "../text/due";
import { t } from "../words/words";
import { EntryView } from "./entry";
import { Verify } from "./verify";

const KINDS = ["message", "click", "decision", "question", "card", "call", "undo", "reply"];

export function TrailPage() {
  const [entries, setEntries] = useState<TrailEntry[] | null>(null);
  const [next, setNext] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const [kind, setKind] = useState("");
  const [search, setSearch] = useState("");

  const load = async (before: number | null): Promise<void> => {
    try {
      const page = await readTrail(kind, before);
      setEntries(known => [...(before === null ? [] : (known ?? [])), ...page.entries]);
      setNext(page.next);
    } catch (error) {
      setProblem(wordsOf(error));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when the page is opened, and anew for another kind
  useEffect(() => void load(null), [kind]);
  const found = useMemo(() => moments(entries ?? []), [entries]);
  const shown = found.filter(moment => fits(moment, kind, search.trim()));

  return (
    <main className="relative min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-8 md:px-6">
        <h1 className="text-2xl font-semibold tracking-tight">{t("trail.title")}</h1>
        <p className="mt-2 max-w-prose text-soft">{t("trail.lead")}</p>
        <Verify />
        <div className="mt-6 flex gap-2">
          <input
            type="search"
            className="field"
            value={search}
            aria-label={t("trail.search")}
            placeholder={t("trail.search")}
            onChange={event => setSearch(event.target.value)}
          />
          <select
            className="field w-auto flex-none"
            aria-label={t("trail.filter")}
            value={kind}
            onChange={event => setKind(event.target.value)}
          >
            <option value="">{t("trail.all")}</option>
            {KINDS.map(one => (
              <option key={one} value={one}>
                {lookUp(`trail.kind.${one}`)}
              </option>
            ))}
          </select>
        </div>
        {problem && (
          <p role="alert" className="mt-6 text-warn">
            {problem}
          </p>
        )}
        <ol className="mt-6 flex flex-col gap-4">
          {shown.map(moment => (
            <li key={moment.key} className="rounded-2xl border border-line bg-surface">
              <p className="flex items-center gap-2 px-4 pt-3 text-[0.8125rem] text-soft md:px-5">
                <Icon name="clock" className="size-3.5" />
                <time dateTime={moment.at}>{momentText(moment.at, zone())}</time>
              </p>
              <ol className="flex flex-col px-4 pt-1 pb-2 md:px-5">
                {moment.entries
                  .filter(entry => !kind || entry.kind === kind)
                  .map(entry => (
                    <EntryView key={entry.number} entry={entry} moment={moment.entries} />
                  ))}
              </ol>
            </li>
          ))}
        </ol>
        {entries && shown.length === 0 && <p className="py-10 text-center text-soft">{t("trail.empty")}</p>}
        {next !== null && (
          <button type="button" className="button button-plain mt-6" onClick={() => void load(next)}>
            {t("trail.more")}
          </button>
        )}
      </div>
    </main>
  );
}
