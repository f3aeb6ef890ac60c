import { describe, expect, test } from "vitest";
import type { Decision, Task } from "../api/types";
import { chooseLanguage } from "../words/words";
import { daysUntil, dueText, isOverdue } from "./due";
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

describe("dates as people say them, where they are", () => {
  const now = new Date("2026-03-28T23:30:00Z"); // in Rome it is already the 29th, and the clocks go forward that night
  const rome = "Europe/Rome";
  test("days are those of the person's calendar", () => {
    expect(daysUntil("2026-03-29", now, rome)).toBe(0);
    expect(daysUntil("2026-03-29", now, "UTC")).toBe(1);
    expect(daysUntil("2026-03-30", now, rome)).toBe(1);
  });
  test("in both languages", () => {
    const say = (due: string): string => dueText(due, now, rome);
    chooseLanguage("it");
    expect([say("2026-03-29"), say("2026-03-30T09:00"), say("2026-03-26")]).toEqual([
      "oggi",
      "domani alle 09:00",
      "3 giorni fa",
    ]);
    chooseLanguage("en");
    expect([say("2026-03-28"), say("2026-04-01"), say("2027-01-05")]).toEqual([
      "yesterday",
      "Wednesday",
      "Tue, Jan 5, 2027",
    ]);
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
