/** The list by hand: mouse, touch and keyboard. */

import { afterAll, afterEach, expect, test } from "vitest";
import { closeBrowser, expectTitles, newPerson, type Person, PHONE, say, titles } from "./person.ts";

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
