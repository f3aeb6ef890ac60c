import type { Arguments } from "../api/parts";
import { zone } from "../state/session";
import { known } from "../state/tasks";
import { dueText } from "../text/due";
import { leadText, repeatText } from "../text/repeat";
import { Shown } from "../text/shown";
import { t, type Word } from "../words/words";

/** The values of a call, each by its name. */
export function ArgumentsOf({
  values,
  leaveOut,
  close = false,
}: {
  values: Arguments;
  leaveOut: string[];
  close?: boolean;
}) {
  const named = Object.entries(values).filter(([name]) => !leaveOut.includes(name));
  if (named.length === 0) return null;
  return (
    <dl className={`grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 ${close ? "text-[0.8125rem]" : "mt-3 text-sm"}`}>
      {named.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{argumentName(name)}</dt>
          <dd className="min-w-0">
            <Shown text={valueText(name, value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const WORDS: Record<string, true> = { low: true, medium: true, high: true };
const STATES: Record<string, Word> = { pending: "status.pending", completed: "status.completed" };

export function argumentName(name: string): string {
  return lookUp(`arg.${name}`) ?? name;
}

export function toolName(tool: string): string {
  return lookUp(`tool.${tool}`) ?? tool;
}

/** A value as people say it: the task by its title, a date as one says it. */
export function valueText(name: string, value: unknown): string {
  if (typeof value !== "string") return value === null ? "–" : JSON.stringify(value);
  if (name === "task_identifier") return known.get(value)?.title ?? value;
  if (/due$/.test(name) && /^\d{4}-\d\d-\d\d/.test(value)) return dueText(value, new Date(), zone());
  if (/repeat$/.test(name) && value.startsWith("FREQ=")) return repeatText(value);
  if (/remind$/.test(name) && /^P/.test(value)) return leadText(value);
  if (/priority$/.test(name) && WORDS[value]) return t(`priority.${value}` as Word);
  if (/(status|filter)$/.test(name) && STATES[value]) return t(STATES[value]);
  return value;
}

/** A text that may not be there: tools and reasons come from the service. */
export function lookUp(name: string): string | null {
  return t(name as Word) ?? null;
}
