/** Repeats and lead times as people say them: `FREQ=WEEKLY;BYDAY=MO,TH` is "every Monday and Thursday". */

import { locale, t, type Word } from "../words/words";

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const WORKDAYS = "MO,TU,WE,TH,FR";
const WEEKEND = "SA,SU";

/** The rules that the editor offers, and what it calls them. */
export const REPEATS = {
  "FREQ=DAILY": "repeat.daily",
  [`FREQ=WEEKLY;BYDAY=${WORKDAYS}`]: "repeat.weekdays",
  "FREQ=WEEKLY": "repeat.weekly",
  "FREQ=WEEKLY;INTERVAL=2": "repeat.two_weeks",
  "FREQ=MONTHLY": "repeat.monthly",
  "FREQ=YEARLY": "repeat.yearly",
} as Record<string, Word>;

/** The lead times that the editor offers. */
export const LEADS = ["PT0S", "PT10M", "PT1H", "P1D"];

/** A rule in a few words. A rule that they would not fit is said to repeat, and no more; its end is left out. */
export function repeatText(rule: string): string {
  const parts = Object.fromEntries(rule.split(";").map(part => part.split("=") as [string, string]));
  const days = parts.BYDAY?.split(",") ?? [];
  const count = Number(parts.INTERVAL ?? 1);
  const isOnDays = days.length > 0 && days.every(day => WEEKDAYS.includes(day)) && !parts.BYMONTHDAY;
  if (isOnDays && (parts.FREQ === "WEEKLY" || parts.FREQ === "DAILY")) return onDays(days, count);
  const dates = [...days, ...(parts.BYMONTHDAY?.split(",") ?? [])];
  const isOnce = dates.length === 0 || (parts.FREQ === "MONTHLY" && dates.length === 1 && !isOnDays);
  if (!isOnce) return t("repeat.other");
  switch (parts.FREQ) {
    case "DAILY":
      return t(count === 2 ? "repeat.every.day.two" : "repeat.every.day", { count });
    case "WEEKLY":
      return t("repeat.every.week", { count });
    case "MONTHLY":
      return t("repeat.every.month", { count });
    case "YEARLY":
      return t("repeat.every.year", { count });
    default:
      return t("repeat.other");
  }
}

function onDays(days: string[], count: number): string {
  const named = days.map(day => dayName(day, days.length > 2 ? "short" : "long"));
  const said = new Intl.ListFormat(locale(), { type: "conjunction" }).format(named);
  if (count > 1) return t("repeat.every.week_on", { count, days: said });
  if (days.join() === WORKDAYS) return t("repeat.every.weekday");
  if (days.join() === WEEKEND) return t("repeat.every.weekend");
  return days.length === WEEKDAYS.length ? t("repeat.every.day", { count }) : t("repeat.every.days", { days: said });
}

/** The first of January 2024 was a Monday. */
function dayName(day: string, weekday: "short" | "long"): string {
  const date = new Date(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)));
  return new Intl.DateTimeFormat(locale(), { weekday, timeZone: "UTC" }).format(date);
}

const LEAD = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS = ["week", "day", "hour", "minute", "second"];

/** A lead time in words: "10 minutes before". */
export function leadText(lead: string): string {
  const numbers = (LEAD.exec(lead) ?? []).slice(1).map(Number);
  const said = UNITS.flatMap((unit, at) =>
    numbers[at]
      ? [new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(numbers[at])]
      : [],
  );
  if (said.length === 0) return t("remind.at_time");
  return t("remind.before", { time: new Intl.ListFormat(locale(), { type: "unit" }).format(said) });
}
