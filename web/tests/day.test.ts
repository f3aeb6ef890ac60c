/** The list leads with the day: its sections, how much is done, what it is sorted by. */

import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  addTasks,
  closeBrowser,
  expectAccessible,
  expectTitles,
  listButton,
  newPerson,
  type Person,
  PHONE,
  say,
} from "./person.ts";

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
  expect(await page.getByText("what can I do for you").isVisible()).toBe(false);
  await listButton(page, "Shopping").tap();
  await expectTitles(page, "buy bread");
  await listButton(page, "All lists").tap();
  await page.getByRole("link", { name: "Conversation" }).tap();
  await page.getByText("what can I do for you").waitFor();
  await say(page, "complete buy bread");
  await page.getByRole("link", { name: "Sayso" }).tap();
  await expectTitles(page, "read");
});

const row = (page: Page, title: string) => page.getByRole("button", { name: `Edit: ${title}` });
const place = (page: Page, name: string) => page.locator(`[data-drop="${name}"]`).last();
const middle = async (one: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width, height } = (await one.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};
const stored = (page: Page): Promise<Record<string, unknown>[]> =>
  page.evaluate(async () => ((await (await fetch("/v1/tasks")).json()) as { tasks: Record<string, unknown>[] }).tasks);

/** Press the mouse on a task, and move it until the task is dragged. */
async function lift(page: Page, title: string): Promise<void> {
  const { x, y } = await middle(row(page, title));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 3, y + 12);
  await page.locator("[data-ghost]").waitFor();
}

async function dropOn(page: Page, name: string): Promise<void> {
  const { x, y } = await middle(place(page, name));
  await page.mouse.move(x, y);
  await page.mouse.up();
}

test("dragged with the mouse to another day and another list, each with undo", async () => {
  const { page } = await person();
  await addTasks(page, { title: "call Lucia", due: `${day(0)}T23:59` }, { title: "buy rice", list: "Shopping" });
  await expectTitles(page, "call Lucia", "buy rice");
  const sent = page.waitForRequest(one => one.method() === "PATCH");
  await lift(page, "call Lucia");
  await expectAccessible(page, "dragging");
  await dropOn(page, `day:${day(2)}`);
  expect((await sent).postDataJSON()).toEqual({ due: `${day(2)}T23:59` });
  await page.getByRole("region", { name: "Coming up" }).getByText("call Lucia").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("region", { name: "Today" }).getByText("call Lucia").waitFor();

  await lift(page, "call Lucia");
  await dropOn(page, "list:Shopping");
  await expect.poll(async () => (await stored(page)).map(task => task.list)).toEqual(["Shopping", "Shopping"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await stored(page)).map(task => task.list)).toEqual([null, "Shopping"]);

  await lift(page, "buy rice");
  const { x, y } = await middle(page.getByRole("region", { name: "Today" }).locator("[data-drop]"));
  await page.mouse.move(x, y);
  await page.mouse.up();
  await page.getByRole("region", { name: "Today" }).getByText("buy rice").waitFor();
});

test("a drag that ends nowhere or by Escape changes nothing, and is no click", async () => {
  const { page } = await person();
  await addTasks(page, { title: "call Lucia", due: day(0), repeat: "FREQ=DAILY" });
  await expectTitles(page, "call Lucia");
  const changes: string[] = [];
  page.on("request", one => one.method() === "PATCH" && changes.push(one.url()));
  await lift(page, "call Lucia");
  await page.mouse.up();
  await lift(page, "call Lucia");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await lift(page, "call Lucia");
  await dropOn(page, "day:"); // a task that repeats keeps a date
  expect(await page.locator("[data-ghost]").count()).toBe(0);
  expect(await page.getByLabel("Title").count()).toBe(0);
  await row(page, "call Lucia").click();
  await page.getByLabel("Title").waitFor();
  expect(changes).toEqual([]);
});

test("by touch a task is held and dragged; a swipe scrolls, and a tap opens it", async () => {
  const { page, context } = await person({ viewport: PHONE, hasTouch: true, isMobile: true, locale: "it-IT" });
  await addTasks(page, { title: "chiamare Lucia", due: day(0) });
  const title = page.getByRole("button", { name: "Modifica: chiamare Lucia" });
  await title.waitFor();
  const driver = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
    driver.send("Input.dispatchTouchEvent", { type, touchPoints });
  const from = await middle(title);
  await touch("touchStart", from);
  await touch("touchMove", { x: from.x, y: from.y - 40 });
  await page.waitForTimeout(500);
  expect(await page.locator("[data-ghost]").count()).toBe(0);
  await touch("touchEnd");

  await touch("touchStart", from);
  await page.locator("[data-ghost]").waitFor();
  const to = await middle(place(page, `day:${day(1)}`));
  await touch("touchMove", { x: from.x, y: from.y + 30 });
  await touch("touchMove", to);
  await touch("touchEnd");
  await page.getByRole("heading", { name: "Domani" }).waitFor();
  await expect.poll(async () => (await stored(page)).map(task => task.due)).toEqual([day(1)]);
  await title.tap();
  await page.getByLabel("Titolo").waitFor();
});
