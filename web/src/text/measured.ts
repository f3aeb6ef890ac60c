/** What machines measure, as people say it: names, values with their units, and how long ago. */

import type { Scalar } from "../api/parts";
import type { Metric } from "../api/types";
import { locale, t, type Word } from "../words/words";

const known = (name: string): string | undefined => t(name as Word) as string | undefined;

/** A name that we have a word for; any other as the machine has it. */
export function metricName(name: string): string {
  return known(`metric.${name}`) ?? name.replaceAll("_", " ");
}

export function measuredText({ name, unit }: Pick<Metric, "name" | "unit">, value: Scalar): string {
  if (value === null) return t("machines.none");
  if (typeof value === "number") return `${numberText(value)}${unit ? `\u00A0${unit}` : ""}`;
  if (typeof value === "boolean") return known(`value.${name}.${value}`) ?? t(`value.${value}`);
  return known(`value.${value}`) ?? value;
}

function numberText(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 }).format(value);
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "3 minutes ago"; less than a minute is now. */
export function agoText(at: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(at)) / 1000);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const [unit, size] = STEPS.find(([, step]) => seconds >= step) ?? ["second", seconds + 1];
  return format.format(-Math.floor(seconds / size), unit);
}

/** How long something lasted: "5 minutes". */
export function spanText(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  const [unit, count] = minutes < 1 ? ["second", milliseconds / 1000] : ["minute", minutes];
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: unit as string,
    unitDisplay: "long",
    maximumFractionDigits: 0,
  }).format(Math.max(1, Math.round(count as number)));
}
