/** The list leads with the day: its sections, how much is done, what it is sorted by. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";
import { addTasks, closeBrowser, expectTitles, listButton, newPerson, type Person, PHONE, say } from "./person.ts";

let someone: Person | undefined;
const person = async (options: Parameters<typeof newPerson>[0] = {}): Promise<Person> => {
  someone = await newPerson(options);
  return someone;
};

afterEach(async () => {
  await someone?.context.close();
  expect(someone?.problems ?? []).toEqual([]);
  someone = undefined;
});
afterAll(closeBrowser);

/** The person's date, so many days from today. */
function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toLocaleDateString("en-CA", { timeZone: "Europe/Rome" });
}

const headings = (page: Page): Promise<string[]> =>
  page.getByRole("region", { name: "Your list" }).getByRole("heading").allInnerTexts();
const weekday = (from: number): string =>
  new Date(`${day(from)}T12:00:00Z`).toLocaleDateString("en-GB", { weekday: "long" });

test("sections by day, and how much of today is done", async () => {
  const { page } = await person();
  await addTasks(
    page,
    { title: "renew the passport", due: day(40) },
    { title: "pick up the parcel", due: day(3) },
    { title: "read" },
    { title: "water the ferns", due: day(1) },
    { title: "buy bread", due: day(0) },
    { title: "sweep", due: day(0), repeat: "FREQ=DAILY" },
    { title: "pay the rent", due: day(-1) },
  );
  await expectTitles(
    page,
    "pay the rent",
    "buy bread",
    "sweep",
    "water the ferns",
    "pick up the parcel",
    "renew the passport",
    "read",
  );
  const [today, ...names] = await headings(page);
  expect(today).toContain(weekday(0));
  expect(names).toEqual(["Overdue", "Today", "Coming up", "Tomorrow", weekday(3), "Later", "No date"]);
  await page.getByText("0 of 2 done today").waitFor();
  await page.getByRole("button", { name: "Complete: sweep" }).click();
  await page.getByText("1 of 2 done today").waitFor();
  await page.getByRole("button", { name: "Complete: pay the rent" }).click();
  await page.getByText("2 of 3 done today").waitFor();
  await page.getByRole("button", { name: "Complete: buy bread" }).click();
  await page.getByText("All done for today").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 of 3 done today").waitFor();
});

test("sorted by date, priority or name, and still so after a reload", async () => {
  const { page } = await person();
  await addTasks(
    page,
    { title: "walk", due: day(0) },
    { title: "bake", due: day(1), priority: "low" },
    { title: "call", due: day(2), priority: "high" },
  );
  await expectTitles(page, "walk", "bake", "call");
  await page.getByLabel("Sort by").selectOption("Priority");
  await expectTitles(page, "call", "walk", "bake");
  expect((await headings(page)).slice(1)).toEqual(["High priority", "Medium priority", "Low priority"]);
  await page.getByLabel("Sort by").selectOption("Name");
  await expectTitles(page, "bake", "call", "walk");
  await page.reload();
  await expectTitles(page, "bake", "call", "walk");
  expect(await page.getByLabel("Sort by").inputValue()).toBe("name");
});

test("sorted by name, all tasks are there, also those on a later page of the service", async () => {
  const { page } = await person();
  await page.route("**/v1/tasks?*", route =>
    route.continue({ url: route.request().url().replace("limit=100", "limit=2") }),
  );
  await addTasks(page, ...["walk", "call", "bake"].map((title, at) => ({ title, due: day(at) })));
  await page.getByRole("button", { name: "Show more" }).waitFor();
  await page.getByLabel("Sort by").selectOption("Name");
  await expectTitles(page, "bake", "call", "walk");
});

test("on a phone the list comes first, and the conversation is one tap away", async () => {
  const { page } = await person({ viewport: PHONE, hasTouch: true, isMobile: true });
  await addTasks(page, { title: "buy bread", due: day(0), list: "Shopping" }, { title: "read" });
  await expectTitles(page, "buy bread", "read");
  expect(await page.getByText("what shall I do").isVisible()).toBe(false);
  await listButton(page, "Shopping").tap();
  await expectTitles(page, "buy bread");
  await listButton(page, "All lists").tap();
  await page.getByRole("link", { name: "Conversation" }).tap();
  await page.getByText("what shall I do").waitFor();
  await say(page, "complete buy bread");
  await page.getByRole("link", { name: "Sayso" }).tap();
  await expectTitles(page, "read");
});
