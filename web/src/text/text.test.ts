import { describe, expect, test } from "vitest";
import table from "../../../tests/said_dates.json";
import type { Decision } from "../api/parts";
import type { Task } from "../api/types";
import { chooseLanguage } from "../words/words";
import { daysUntil, dueText, isOverdue } from "./due";
import { LEADS, leadText, REPEATS, repeatText } from "./repeat";
import { segments } from "./spans";
import { pieces, spelled } from "./unseen";

describe("what cannot be seen is spelled out", () => {
  test.each([
    ["pay\u202Eevil", [{ text: "pay" }, { code: "U+202E" }, { text: "evil" }]],
    ["a\u200Bb", [{ text: "a" }, { code: "U+200B" }, { text: "b" }]],
    ["tag\u{E0041}", [{ text: "tag" }, { code: "U+E0041" }]],
    ["line\nbreak", [{ text: "line" }, { code: "U+000A" }, { text: "break" }]],
    ["\u3164", [{ code: "U+3164" }]],
  ])("%j", (text, wanted) => expect(pieces(text)).toEqual(wanted));

  test.each(["caffè", "👩‍👩‍👧", "می‌خواهم", "1️⃣", "日本語", "<b>bold</b>"])("%s stays as it is", text => {
    expect(spelled(text)).toBe(text);
  });
});

describe("words are marked by characters, not by bytes or halves of them", () => {
  const decision = { kind: "call", tool: "add_task", confidence: 1, arguments: { title: "milk" } } as Decision;
  test("after a picture", () => {
    const found = segments("🥛🥛 add milk", [
      { ...decision, evidence: { title: { source: "message", span: [7, 11] } } },
    ]);
    expect(found.filter(one => one.names.length).map(one => one.text)).toEqual(["milk"]);
  });
  test("where two values share words", () => {
    const evidence = {
      title: { source: "message", span: [4, 12] },
      due: { source: "message", span: [9, 16] },
    } as const;
    const found = segments("add abcd efg hij", [{ ...decision, evidence } as unknown as Decision]);
    expect(found.map(one => [one.text, one.names])).toEqual([
      ["add ", []],
      ["abcd ", ["title"]],
      ["efg", ["title", "due"]],
      [" hij", ["due"]],
    ]);
  });
});

describe("repeats and lead times as people say them", () => {
  test.each([
    ["FREQ=DAILY", "every day", "ogni giorno"],
    ["FREQ=DAILY;INTERVAL=2", "every other day", "un giorno sì e uno no"],
    ["FREQ=DAILY;INTERVAL=3;COUNT=4", "every 3 days", "ogni 3 giorni"],
    ["FREQ=WEEKLY;UNTIL=20261231", "every week", "ogni settimana"],
    ["FREQ=WEEKLY;BYDAY=MO,TH", "every Monday and Thursday", "ogni lunedì e giovedì"],
    ["FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Mon, Wed, and Fri", "ogni lun, mer e ven"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday", "dal lunedì al venerdì"],
    ["FREQ=DAILY;BYDAY=SA,SU", "every weekend", "ogni fine settimana"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "every day", "ogni giorno"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "every 2 weeks on Wednesday", "ogni 2 settimane, mercoledì"],
    ["FREQ=MONTHLY;BYDAY=-1FR", "every month", "ogni mese"],
    ["FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1", "every 3 months", "ogni 3 mesi"],
    ["FREQ=MONTHLY;BYMONTHDAY=1,15", "repeats", "si ripete"],
    ["FREQ=MONTHLY;BYDAY=MO", "repeats", "si ripete"],
    ["FREQ=YEARLY", "every year", "ogni anno"],
    ["FREQ=YEARLY;BYDAY=1MO", "repeats", "si ripete"],
    ["FREQ=HOURLY", "repeats", "si ripete"],
    ["nonsense", "repeats", "si ripete"],
  ])("%s", (rule, english, italian) => {
    chooseLanguage("it");
    expect(repeatText(rule)).toBe(italian);
    chooseLanguage("en");
    expect(repeatText(rule)).toBe(english);
  });
  test.each([
    ["PT0S", "At the due time", "All'ora della scadenza"],
    ["PT10M", "10 minutes before", "10 minuti prima"],
    ["PT1H", "1 hour before", "1 ora prima"],
    ["P1D", "1 day before", "1 giorno prima"],
    ["P1W", "1 week before", "1 settimana prima"],
    ["P1DT2H", "1 day, 2 hours before", "1 giorno e 2 ore prima"],
  ])("%s", (lead, english, italian) => {
    chooseLanguage("it");
    expect(leadText(lead)).toBe(italian);
    chooseLanguage("en");
    expect(leadText(lead)).toBe(english);
  });
  test("what the editor offers has words", () => {
    expect(Object.keys(REPEATS).map(repeatText)).not.toContain("repeats");
    expect(new Set(LEADS.map(leadText)).size).toBe(LEADS.length);
  });
});

describe("dates as people say them, where they are", () => {
  const now = new Date("2026-03-28T23:30:00Z"); // in Rome it is already the 29th, and the clocks go forward that night
  const rome = "Europe/Rome";
  test("days are those of the person's calendar", () => {
    expect(daysUntil("2026-03-29", now, rome)).toBe(0);
    expect(daysUntil("2026-03-29", now, "UTC")).toBe(1);
    expect(daysUntil("2026-03-30", now, rome)).toBe(1);
  });
  test("in both languages, as the service says them", () => {
    for (const lang of ["it", "en"] as const) {
      chooseLanguage(lang);
      for (const date of table.dates) expect(dueText(date.due, new Date(table.now), table.zone)).toBe(date[lang]);
    }
  });
  test("a day is over at its midnight, an hour when it strikes", () => {
    const task = (due: string, status = "pending"): Task => ({ due, status }) as Task;
    expect(isOverdue(task("2026-03-29"), now, rome)).toBe(false);
    expect(isOverdue(task("2026-03-28"), now, rome)).toBe(true);
    expect(isOverdue(task("2026-03-29T00:30"), now, rome)).toBe(true);
    expect(isOverdue(task("2026-03-29T00:31"), now, rome)).toBe(false);
    expect(isOverdue(task("2020-01-01", "completed"), now, rome)).toBe(false);
  });
});
