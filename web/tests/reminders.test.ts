/** Reminders on the page: what rang, what is coming, permission, settings, and the page as an app. */

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addTasks, closeBrowser, expectTitles, newPerson, type Person, titles } from "./person.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let someone: Person | undefined;
const person = async (options: Parameters<typeof newPerson>[0] = {}): Promise<Person> => {
  someone = await newPerson({ url: service.url, ...options });
  return someone;
};

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  await someone?.context.close();
  expect(someone?.problems ?? []).toEqual([]);
  someone = undefined;
});
afterAll(async () => {
  await closeBrowser();
  await service.stop();
});

/** So many minutes from now, on the clock of the test's person, as the service writes a due date. */
function inMinutes(minutes: number): string {
  const clock = new Date(Date.now() + minutes * 60_000).toLocaleString("sv-SE", { timeZone: "Europe/Rome" });
  return clock.slice(0, 16).replace(" ", "T");
}

/** Due in an hour, to be reminded of from an hour before: it rings at once. */
const ringsNow = (title: string): Record<string, string> => ({ title, due: inMinutes(60), remind: "PT2H" });

test("a reminder that rang stays until it is done, and done can be taken back", async () => {
  const { page } = await person();
  await addTasks(page, ringsNow("call mom"));
  const rang = page.locator("[data-rang]");
  await expect.poll(() => rang.allInnerTexts()).toEqual(["call mom"]);
  await page.reload();
  await expect.poll(() => rang.allInnerTexts()).toEqual(["call mom"]);

  await page.getByRole("button", { name: "Done: call mom" }).click();
  await expect.poll(() => rang.count()).toBe(0);
  await expectTitles(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectTitles(page, "call mom");
});

test("a snoozed reminder leaves the top, and is coming up in ten minutes; a dismissed one leaves its task", async () => {
  const { page } = await person();
  await addTasks(page, ringsNow("call mom"), ringsNow("feed the cat"));
  const rang = page.locator("[data-rang]");
  await expect.poll(async () => (await rang.allInnerTexts()).sort()).toEqual(["call mom", "feed the cat"]);
  await page.getByRole("button", { name: "Remind me in 10 minutes: call mom" }).click();
  await page.getByText("You will be reminded of “call mom” again in 10 minutes.").first().waitFor();
  await expect.poll(() => page.locator("[data-coming]").allInnerTexts()).toHaveLength(1);
  expect(await page.locator("[data-coming]").innerText()).toContain("call mom");
  await page.getByRole("button", { name: "Dismiss the reminder: feed the cat" }).click();
  await expect.poll(() => rang.count()).toBe(0);
  expect((await titles(page)).sort()).toEqual(["call mom", "feed the cat"]);
  await page.reload();
  await expect.poll(() => page.locator("[data-coming]").count()).toBe(1);
  expect(await rang.count()).toBe(0);
});
