/** The quick-add field: what is read is shown while somebody types, and one tap puts it back into the title. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  addTasks,
  closeBrowser,
  DESKTOP,
  expectAccessible,
  expectTitles,
  listButton,
  newPerson,
  type Person,
  PHONE,
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

const field = (page: Page) => page.locator("#new-task");
const chips = (page: Page): Promise<string[]> => page.locator("[data-chip]").allInnerTexts();
const expectChips = async (page: Page, ...wanted: string[]): Promise<void> => {
  await expect.poll(() => chips(page), { timeout: 10_000 }).toEqual(wanted);
};
const stored = (page: Page): Promise<Record<string, unknown>[]> =>
  page.evaluate(async () => ((await (await fetch("/v1/tasks")).json()) as { tasks: Record<string, unknown>[] }).tasks);

test("what is read is shown as chips, announced, and stored", async () => {
  const { page } = await person();
  await field(page).fill("pay $20 to Bob tomorrow at 5pm, high priority, to the home list");
  await expectChips(page, "tomorrow at 5 pm", "high priority", "home");
  const status = page.getByRole("status").filter({ hasText: "will be added with" });
  expect(await status.innerText()).toBe(
    "“pay $20 to Bob” will be added with tomorrow at 5 pm, high priority and home.",
  );
  await field(page).press("Enter");
  await expectTitles(page, "pay $20 to Bob");
  await page.getByText("Added “pay $20 to Bob”.").first().waitFor();
  await expectChips(page);
  expect(await field(page).inputValue()).toBe("");
  expect(await stored(page)).toMatchObject([{ title: "pay $20 to Bob", priority: "high", list: "home" }]);
});

test("a chip is reached and put back into the title with the keyboard alone", async () => {
  const { page } = await person();
  await field(page).focus();
  await page.keyboard.type("Call Tomorrow Studios low priority");
  await expectChips(page, "tomorrow", "low priority");
  await page.keyboard.press("Tab"); // the button that adds
  await page.keyboard.press("Tab");
  const focused = page.locator(":focus");
  expect(await focused.getAttribute("aria-label")).toBe("Leave in the title: tomorrow");
  await page.keyboard.press("Enter");
  await expectChips(page, "low priority");
  expect(await focused.getAttribute("id")).toBe("new-task");
  await page.keyboard.press("Enter");
  await expectTitles(page, "Call Tomorrow Studios");
  expect(await stored(page)).toMatchObject([{ due: null, priority: "low" }]);

  await page.keyboard.type("water the ferns tomorrow"); // what was kept was for the text before
  await expectChips(page, "tomorrow");
  await page.keyboard.press("Enter");
  await expectTitles(page, "water the ferns", "Call Tomorrow Studios");
});

test("by touch on a phone, in Italian", async () => {
  const { page } = await person({ viewport: PHONE, hasTouch: true, isMobile: true, locale: "it-IT" });
  await page.getByRole("link", { name: "Lista" }).tap();
  await field(page).fill("ogni lunedì alle 7 yoga, avvisami 10 minuti prima");
  await expectChips(page, expect.stringContaining("07:00") as unknown as string, "ogni lunedì", "10 minuti prima");
  await page.getByRole("button", { name: "Lascia nel titolo: 10 minuti prima" }).tap();
  await expectChips(page, expect.stringContaining("07:00") as unknown as string, "ogni lunedì");
  await page.getByRole("button", { name: "Aggiungi", exact: true }).tap();
  await expectTitles(page, "yoga, avvisami 10 minuti prima");
  expect(await stored(page)).toMatchObject([{ repeat: "FREQ=WEEKLY;BYDAY=MO", remind: "PT0S" }]);
});

test("a text that names no list goes on the one that is shown", async () => {
  const { page } = await person();
  await addTasks(page, { title: "bread", list: "Shopping" });
  await listButton(page, "Shopping").click();
  await page.getByLabel("Add a task to “Shopping”").fill("eggs");
  await field(page).press("Enter");
  await expectTitles(page, "bread", "eggs");
  await field(page).fill("add tent to the camping list");
  await expectChips(page, "camping");
  await field(page).press("Enter");
  await expect
    .poll(async () => (await stored(page)).map(task => task.list))
    .toEqual(["Shopping", "Shopping", "camping"]);
});

test("typing on asks seldom, and an answer that is late is not shown", async () => {
  const { page } = await person();
  const asked: string[] = [];
  await page.route("**/v1/tasks/read", async route => {
    const { text } = route.request().postDataJSON() as { text: string };
    asked.push(text);
    if (text === "call mum tomorrow") await new Promise(resolve => setTimeout(resolve, 800));
    await route.continue().catch(() => undefined); // it was given up
  });
  await field(page).pressSequentially("call mum tomorrow", { delay: 30 });
  await expect.poll(() => asked.slice(-1)).toEqual(["call mum tomorrow"]);
  await field(page).fill("call mum low priority");
  await expectChips(page, "low priority");
  await page.waitForTimeout(900);
  await expectChips(page, "low priority");
  expect(asked.slice(-2)).toEqual(["call mum tomorrow", "call mum low priority"]);
  expect(asked.length).toBeLessThan(8); // one, unless the machine is slower than the pause between letters
  await page.unrouteAll();
});

test("where reading fails there are no chips, and the task is added all the same", async () => {
  const { page, problems } = await person();
  await page.route("**/v1/tasks/read", route => route.abort());
  await field(page).fill("call mum tomorrow");
  await page.waitForTimeout(500);
  await expectChips(page);
  await field(page).press("Enter");
  await expectTitles(page, "call mum");
  expect(await stored(page)).toMatchObject([{ title: "call mum", due: expect.stringMatching(/^\d{4}-/) }]);
  problems.splice(0, problems.length, ...problems.filter(said => !said.includes("ERR_FAILED")));
});

test("offline the text stays in the field, with what was kept", async () => {
  const { page, context } = await person();
  await field(page).fill("call mum tomorrow high priority");
  await expectChips(page, "tomorrow", "high priority");
  await page.getByRole("button", { name: "Leave in the title: tomorrow" }).click();
  await expectChips(page, "high priority");
  await context.setOffline(true);
  await field(page).press("Enter");
  await expect.poll(() => field(page).inputValue()).toBe("call mum tomorrow high priority");
  await expectTitles(page);
  await context.setOffline(false);
  await field(page).press("Enter");
  await expectTitles(page, "call mum tomorrow");
});

test("a title that is open is asked about first, as in the conversation", async () => {
  const { page, problems } = await person();
  await addTasks(page, { title: "buy milk" });
  await expectTitles(page, "buy milk");
  const asked = page.getByRole("alert").filter({ hasText: "already on your list" });
  await field(page).fill("Buy milk tomorrow");
  await field(page).press("Enter");
  await asked.waitFor();
  expect(await asked.innerText()).toContain('"buy milk" is already on your list. Add it again, due tomorrow?');
  expect(await field(page).inputValue()).toBe("Buy milk tomorrow");
  await expectAccessible(page, "a title that is open");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // no
  await expect.poll(() => asked.count()).toBe(0);
  expect(await field(page).inputValue()).toBe("");
  await expectTitles(page, "buy milk");

  await field(page).fill("Buy milk tomorrow");
  await field(page).press("Enter");
  await asked.waitFor();
  await page.keyboard.press("Enter"); // yes
  await expectTitles(page, "Buy milk", "buy milk");
  expect(await field(page).inputValue()).toBe("");
  problems.splice(0, problems.length, ...problems.filter(said => !said.includes("409")));
});

test.each([
  ["light", DESKTOP],
  ["dark", PHONE],
] as const)("axe finds nothing in the %s field with its chips", async (colorScheme, viewport) => {
  const { page } = await person({ colorScheme, viewport, reducedMotion: "reduce" });
  await page.evaluate(() => {
    location.hash = "list";
  });
  await field(page).fill(
    "every monday at 9 water the ferns, high priority, remind me 10 minutes before, to the home list",
  );
  await expectChips(
    page,
    expect.stringContaining("9 am") as unknown as string,
    "every Monday",
    "high priority",
    "home",
    "10 minutes before",
  );
  await expectAccessible(page, `chips, ${colorScheme}`);
});
