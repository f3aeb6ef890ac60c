/** Titles are other people's words: they are shown as what they are, and do nothing. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { spelled } from "../src/text/unseen.ts";
import { closeBrowser, newPerson } from "./person.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MARKUP = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "</textarea><script>alert(1)</script>",
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  '"><iframe srcdoc="<script>parent.alert(1)</script>">',
  "<style>*{display:none}</style>",
  "<base href=//evil.example>",
  "<a href=javascript:alert(1)>click</a>",
];
const UNSEEN = ["\u202e", "\u2066", "\u200b", "\u00ad", "\u2060", "\u{e0041}", "\ufeff", "\u115f", "\u2800", "\u061c"];
const LOOKALIKES = ["раypаl", "ｄｅｌｅｔｅ", "𝐝𝐞𝐥𝐞𝐭𝐞", "dеlеtе аll"];

/** Every kind in every place, 500 of them. */
function titles(): string[] {
  const made: string[] = [];
  for (let number = 0; made.length < 500; number++) {
    const unseen = UNSEEN[number % UNSEEN.length]!;
    const bold = MARKUP[Math.floor(number / UNSEEN.length) % MARKUP.length]!;
    const alike = LOOKALIKES[number % LOOKALIKES.length]!;
    made.push(`${alike} ${bold.slice(0, 120)} ${number}${unseen}end`);
  }
  return made;
}

afterAll(closeBrowser);

test("500 hostile titles are shown as what they are, and none of them runs", async () => {
  const { page, context, problems } = await newPerson();
  let popped = 0;
  page.on("dialog", dialog => {
    popped++;
    void dialog.dismiss();
  });
  const wanted = titles();
  const refused = await page.evaluate(async all => {
    let failures = 0;
    for (const title of all) {
      const answer = await fetch("/v1/tasks", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Sayso-Page": "1", "Idempotency-Key": crypto.randomUUID() },
        body: JSON.stringify({ title }),
      });
      if (!answer.ok) failures++;
    }
    return failures;
  }, wanted);
  expect(refused).toBe(0);
  await page.reload();
  const more = page.getByRole("button", { name: "Show more" });
  const rows = page.locator("[data-title]");
  for (let shown = 100; shown < 500; shown += 100) {
    await expect.poll(() => rows.count()).toBe(shown);
    await more.click();
  }
  await expect.poll(() => rows.count()).toBe(500);
  const seen = await rows.evaluateAll(all => all.map(one => one.textContent));
  const plain = (text: string): string => spelled(text).replace(/ (U\+[0-9A-F]+) /g, "$1");
  expect(seen.toSorted()).toEqual(wanted.map(plain).toSorted());
  expect(await page.locator("main script, main img, main iframe, main style, main base").count()).toBe(0);
  expect(popped).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
}, 240_000);

test("whatever the service counts as unseen, the page spells out", () => {
  const program = `
from sayso.unseen import spelled
print(" ".join(str(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000 and spelled("x" + chr(n) + "x", lambda _: "") == "xx"))`;
  const numbers = execFileSync(`${ROOT}.venv/bin/python`, ["-c", program], {
    env: { ...process.env, PYTHONPATH: `${ROOT}src` },
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  const unseen = numbers.trim().split(" ").map(Number);
  const shown = unseen.filter(
    number => spelled(`x${String.fromCodePoint(number)}x`).length === 2 + String.fromCodePoint(number).length,
  );
  expect(unseen.length).toBeGreaterThan(1000);
  expect(shown.map(number => number.toString(16))).toEqual([]);
});
