/** The list by hand: mouse, touch and keyboard. */

import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";
import {
  addTasks,
  closeBrowser,
  expectTitles,
  listButton,
  newPerson,
  newWindow,
  type Person,
  PHONE,
  say,
  titles,
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

test("add, edit, complete, reopen and delete with the mouse, each with its way back", async () => {
  const { page } = await person();
  await page.getByLabel("Add a task").fill("order paint");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expectTitles(page, "order paint");

  await page.getByRole("button", { name: "Edit: order paint" }).click();
  await page.getByLabel("Title").fill("order white paint");
  await page.getByLabel("Date", { exact: true }).fill("2020-01-31");
  await page.getByText("High", { exact: true }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expectTitles(page, "order white paint");
  await page.getByRole("heading", { name: "Overdue" }).waitFor();

  await page.getByRole("button", { name: "Complete: order white paint" }).click();
  await expectTitles(page);
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await page.getByRole("button", { name: "Reopen: order white paint" }).click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expectTitles(page, "order white paint");

  await page.getByRole("button", { name: "Delete: order white paint" }).click();
  await expectTitles(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectTitles(page, "order white paint");
});

test("by touch on a phone", async () => {
  const { page } = await person({ viewport: PHONE, hasTouch: true, isMobile: true });
  await say(page, "add fix the bike");
  await page.getByRole("link", { name: "List" }).tap();
  await page.getByRole("button", { name: "Complete: fix the bike" }).tap();
  await expectTitles(page);
  await page.getByRole("button", { name: "Undo" }).tap();
  await expectTitles(page, "fix the bike");
  await page.getByRole("button", { name: "Delete: fix the bike" }).tap();
  await expectTitles(page);
});

test("with the keyboard alone, from signing in to taking a delete back", async () => {
  const { page } = await person();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const at = document.activeElement!;
      return at.id || at.getAttribute("aria-label") || at.textContent || "";
    });
  const tabTo = async (name: string): Promise<void> => {
    for (let steps = 0; steps < 40 && (await focused()) !== name; steps++) await press("Tab");
    expect(await focused()).toBe(name);
  };
  expect(await focused()).toBe("message");
  await page.keyboard.type("add sew the button");
  await press("Enter");
  await expectTitles(page, "sew the button");
  await tabTo("new-task");
  await page.keyboard.type("iron the shirt");
  await press("Enter");
  await expectTitles(page, "sew the button", "iron the shirt");
  await tabTo("Complete: sew the button");
  await press("ArrowDown");
  expect(await focused()).toBe("Complete: iron the shirt");
  await press("Enter");
  await expectTitles(page, "sew the button");
  await tabTo("Edit: sew the button");
  await press("Enter");
  await press("Control+a");
  await page.keyboard.type("sew the coat");
  await press("Enter");
  await expectTitles(page, "sew the coat");
  await expect.poll(focused).toBe("Edit: sew the coat");
  await press("Delete");
  await expectTitles(page);
  const undo = page.getByRole("button", { name: "Undo" }).last();
  for (let steps = 0; steps < 40 && !(await undo.evaluate(one => one === document.activeElement)); steps++)
    await press("Tab");
  await press("Enter");
  await expectTitles(page, "sew the coat");
});

test("filters and search show what was asked for", async () => {
  const { page } = await person();
  for (const words of ["add paint the door with high priority", "add paint the fence", "add call Lucia"])
    await say(page, words);
  await page.getByRole("button", { name: "Search tasks" }).click();
  await page.getByRole("searchbox", { name: "Search tasks" }).fill("paint");
  await expectTitles(page, "paint the door", "paint the fence");
  await page.getByLabel("Priority").selectOption("high");
  await expectTitles(page, "paint the door");
  await page.getByRole("button", { name: "Search tasks" }).click();
  await expect.poll(async () => (await titles(page)).length).toBe(3);
  await page.getByRole("button", { name: "Overdue" }).click();
  await page.getByText("Nothing is overdue.").waitFor();
});

const facts = (page: Page, title: string): Promise<string> =>
  page
    .locator("li", { has: page.locator("[data-title]", { hasText: title }) })
    .locator("[data-part=title]")
    .innerText();

test("list, repeat and reminder are set in the editor, and shown on the task", async () => {
  const { page } = await person();
  await addTasks(page, { title: "water the plants", due: "2100-01-04", list: "Home" }, { title: "book the hall" });
  await page.getByRole("button", { name: "Edit: water the plants" }).click();
  await page.getByLabel("Repeat").selectOption("Weekdays");
  await page.getByLabel("Reminder").selectOption("10 minutes before");
  await page.getByText("The reminder appears on this page while it is open.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => facts(page, "water the plants")).toContain("every weekday");
  expect(await facts(page, "water the plants")).toContain("Home");

  await page.getByRole("button", { name: "Edit: book the hall" }).click();
  expect(await page.getByLabel("Reminder").isDisabled()).toBe(true);
  const suggestions = await page
    .locator("datalist option")
    .evaluateAll(all => all.map(one => one.getAttribute("value")));
  expect(suggestions).toEqual(["Home"]);
  await page.getByLabel("List", { exact: true }).fill("Choir");
  await page.getByLabel("Repeat").selectOption("Every two weeks");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => facts(page, "book the hall")).toMatch(/every 2 weeks[\s\S]*Choir/);
  await page.getByRole("region", { name: "Today" }).getByText("book the hall").waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Edit: water the plants" }).click();
  expect(await page.getByLabel("Reminder").inputValue()).toBe("PT10M");
  await page.getByLabel("Repeat").selectOption("");
  await page.getByLabel("Reminder").selectOption("");
  await page.getByLabel("List", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => facts(page, "water the plants")).not.toMatch(/every|Home/);
});

test("a rule that the editor does not offer stays as it is", async () => {
  const { page } = await person();
  const rule = "FREQ=WEEKLY;BYDAY=MO,TH";
  await addTasks(page, { title: "practise", due: "2100-01-04", repeat: rule, remind: "PT45M" });
  await page.getByRole("button", { name: "Edit: practise" }).click();
  const chosen = (name: string): Promise<string> =>
    page.getByLabel(name).evaluate(one => (one as HTMLSelectElement).selectedOptions[0]!.text);
  expect(await chosen("Repeat")).toBe("Current: every Monday and Thursday");
  expect(await chosen("Reminder")).toBe("Current: 45 minutes before");
  const sent = page.waitForRequest(one => one.method() === "PATCH");
  await page.getByLabel("Title").fill("practise scales");
  await page.getByRole("button", { name: "Save" }).click();
  expect((await sent).postDataJSON()).toEqual({ title: "practise scales" });
});

test("a filter by list is there once there is a list, and what is added goes onto it", async () => {
  const { page } = await person();
  await addTasks(page, { title: "order paint" });
  await expectTitles(page, "order paint");
  expect(await listButton(page, "All lists").count()).toBe(0);
  await addTasks(page, { title: "buy rice", list: "Shopping" }, { title: "buy soap", list: "shopping" });
  await listButton(page, "Shopping").click();
  await expectTitles(page, "buy rice", "buy soap");
  await page.getByLabel("Add a task to “Shopping”").fill("buy tea");
  await page.keyboard.press("Enter");
  await expectTitles(page, "buy rice", "buy soap", "buy tea");
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await page.getByText("Nothing to show on this list.").waitFor();
  await listButton(page, "All lists").click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expectTitles(page, "order paint", "buy rice", "buy soap", "buy tea");
});

test("the name of a list is shown as what it is", async () => {
  const { page } = await person();
  await addTasks(page, { title: "read", list: "pay\u202Eevil <b>x</b>" });
  await expect.poll(() => page.locator("[data-list]").innerText()).toBe("payU+202Eevil <b>x</b>");
  await listButton(page, "payU+202Eevil <b>x</b>").click();
  await page.getByLabel("Add a task to “pay U+202E evil <b>x</b>”").waitFor();
  await page.getByRole("button", { name: "Edit: read" }).click();
  expect(await page.locator("datalist option").count()).toBe(0);
});

test("lists, repeats and reminders by touch and in Italian", async () => {
  const { page } = await person({ viewport: PHONE, hasTouch: true, isMobile: true, locale: "it-IT" });
  await addTasks(page, { title: "annaffiare", due: "2100-01-04", list: "Casa" }, { title: "pagare la luce" });
  await page.getByRole("link", { name: "Lista" }).tap();
  await page.getByRole("button", { name: "Modifica: annaffiare" }).tap();
  await page.getByLabel("Ripetizione").selectOption("Ogni due settimane");
  await page.getByLabel("Promemoria").selectOption("1 ora prima");
  await page.getByRole("button", { name: "Salva" }).tap();
  await expect.poll(() => facts(page, "annaffiare")).toMatch(/ogni 2 settimane[\s\S]*Casa/);
  await listButton(page, "Casa").tap();
  await expectTitles(page, "annaffiare");
  await page.getByRole("button", { name: "Completa: annaffiare" }).tap();
  await page
    .getByText(/per questa volta\. La prossima scadenza è /)
    .first()
    .waitFor();
  await expectTitles(page, "annaffiare");
});

test("a tick moves a repeating task to its next date, and a window that is behind does not tick that one off", async () => {
  const { page, context } = await person();
  await addTasks(page, { title: "take out the bins", due: "2100-01-04", repeat: "FREQ=DAILY" });
  const due = (on: Page): Promise<string | null> => on.locator("time[datetime]").first().getAttribute("datetime");
  const behind = (await newWindow(context)).page;
  await expectTitles(behind, "take out the bins");
  await behind.route("**/v1/tasks?*", route => route.abort()); // it does not hear of the change

  await page.getByRole("button", { name: "Complete: take out the bins" }).click();
  await page.getByText("It is due again").first().waitFor();
  await expect.poll(() => due(page)).toBe("2100-01-05");
  expect(await due(behind)).toBe("2100-01-04");
  const answered = behind.waitForResponse("**/complete");
  await behind.getByRole("button", { name: "Complete: take out the bins" }).click();
  expect((await answered).status()).toBe(409);
  await behind.unroute("**/v1/tasks?*");
  await expect.poll(() => due(behind)).toBe("2100-01-05");

  // whoever sees the next date may tick it off at once
  await page.getByRole("button", { name: "Complete: take out the bins" }).click();
  await expect.poll(() => due(page)).toBe("2100-01-06");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => due(page)).toBe("2100-01-05");
});

test("a tick right after an edit counts: the page has shown what it does", async () => {
  const { page } = await person();
  await addTasks(page, { title: "sweep", due: "2100-01-04", repeat: "FREQ=DAILY" });
  await page.route("**/v1/tasks/*", async route => {
    await new Promise(resolve => setTimeout(resolve, 500)); // the answer to the edit is late
    await route.continue();
  });
  await page.getByRole("button", { name: "Edit: sweep" }).click();
  await page.getByLabel("Title").fill("sweep the yard");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Complete: sweep the yard" }).click();
  await page.getByText("It is due again").first().waitFor();
  await expect.poll(() => page.locator("time[datetime]").first().getAttribute("datetime")).toBe("2100-01-05");
});

test("the trail shows what was said and what was clicked, and can be verified", async () => {
  const { page } = await person();
  await say(page, "add plant a tree");
  await page.getByRole("button", { name: "Complete: plant a tree" }).click();
  await expectTitles(page);
  await page.getByRole("link", { name: "Trail" }).click();
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText(/^Intact\./).waitFor();
  const text = await page.locator("main").innerText();
  expect(text).toContain("add plant a tree");
  expect(text).toContain("Complete a task");
  expect(text.indexOf("Complete a task")).toBeLessThan(text.indexOf("add plant a tree"));
  await page.getByLabel("Show").selectOption("decision");
  await page.locator("summary").last().click();
  expect(await page.locator("mark").allInnerTexts()).toEqual(["plant a tree"]);
});
