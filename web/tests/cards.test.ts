/** Cards: one for several things, two for two questions, and what becomes of one that is set aside. */

import { mkdirSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { closeBrowser, DESKTOP, expectAccessible, expectTitles, newPerson, type Person, PHONE, say } from "./person.ts";

const PICTURES = process.env.SAYSO_CARD_PICTURES;
const people: Person[] = [];
const person = async (options: Parameters<typeof newPerson>[0] = {}): Promise<Person> => {
  const one = await newPerson(options);
  people.push(one);
  return one;
};

afterEach(async () => {
  for (const { context, problems } of people.splice(0)) {
    await context.close();
    expect(problems, "nothing may go wrong in the browser").toEqual([]);
  }
});
afterAll(closeBrowser);

describe("several things", () => {
  test("are one card; what is taken out stays, and one undo takes all back", async () => {
    const { page } = await person();
    for (const words of ["add buy milk tomorrow", "add call the plumber", "add feed the cat"]) await say(page, words);
    await say(page, "delete buy milk, call the plumber and feed the cat");
    const card = page.getByRole("region", { name: "Please confirm" });
    expect(await card.count()).toBe(1);
    expect(await card.innerText()).toContain("Delete these tasks?");
    expect(await card.getByRole("checkbox", { name: "buy milk tomorrow" }).isChecked()).toBe(true);
    expect(await card.getByRole("checkbox").count()).toBe(3);
    await card.getByRole("button", { name: "Yes, all 3" }).waitFor();
    await card.getByRole("checkbox", { name: "call the plumber" }).uncheck();
    await card.getByRole("button", { name: "Yes, these 2" }).click();
    await expectTitles(page, "call the plumber");
    await expect.poll(() => card.count()).toBe(0);
    await page.getByRole("button", { name: "Undo all 2" }).click();
    await expectTitles(page, "buy milk", "call the plumber", "feed the cat");
  });

  test("can all be taken out: then there is nothing to agree to", async () => {
    const { page } = await person();
    for (const words of ["add buy milk", "add feed the cat", "delete buy milk and feed the cat"])
      await say(page, words);
    const card = page.getByRole("region", { name: "Please confirm" });
    await card.getByRole("checkbox").nth(0).uncheck();
    await card.getByRole("button", { name: "Yes, this one" }).waitFor();
    await card.getByRole("checkbox").nth(1).uncheck();
    expect(await card.getByRole("button", { name: "Yes, these 0" }).isDisabled()).toBe(true);
    await card.getByRole("button", { name: "No, leave them" }).click();
    await expect.poll(() => card.count()).toBe(0);
    await expectTitles(page, "buy milk", "feed the cat");
  });

  test("are moved by one card, by the keyboard alone, and after a reload", async () => {
    const { page } = await person();
    for (const words of ["add buy milk today", "add feed the cat today", "push everything from today to tomorrow"])
      await say(page, words);
    await page.reload();
    const card = page.getByRole("region", { name: "Please confirm" });
    await card.getByText("Move these tasks to tomorrow?").waitFor();
    await card.getByRole("checkbox").nth(1).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Tomorrow" }).waitFor();
    expect(await page.getByRole("heading", { name: "Today" }).isVisible()).toBe(true);
  });

  test("of which one is dealt with by words: the card has the others, and still works", async () => {
    const { page } = await person();
    for (const words of ["add buy milk", "add call the plumber", "add feed the cat"]) await say(page, words);
    await say(page, "delete buy milk, call the plumber and feed the cat");
    await say(page, "complete call the plumber");
    const card = page.getByRole("region", { name: "Please confirm" });
    await card.getByRole("button", { name: "Yes, all 2" }).click();
    await expectTitles(page);
  });

  test("in Italian", async () => {
    const { page } = await person({ locale: "it-IT" });
    for (const words of ["aggiungi comprare il latte domani", "aggiungi chiamare la mamma"]) await say(page, words);
    await say(page, "elimina comprare il latte e chiamare la mamma");
    const card = page.getByRole("region", { name: "Serve la tua conferma" });
    expect(await card.innerText()).toContain("Elimino queste attività?");
    await card.getByRole("checkbox", { name: "comprare il latte domani" }).uncheck();
    await card.getByRole("button", { name: "Sì, solo questa" }).click();
    await expectTitles(page, "comprare il latte");
  });
});

test("two questions are two cards; a yes asks which, and yes to both answers both", async () => {
  const { page } = await person();
  for (const words of ["add buy milk", "delete buy milk and put candles on the shopping list"]) await say(page, words);
  const cards = page.getByRole("region", { name: "Please confirm" });
  expect(await cards.count()).toBe(2);
  expect(await cards.nth(0).innerText()).toContain('Delete "buy milk"?');
  expect(await cards.nth(1).innerText()).toContain("candles");
  await expectAccessible(page, "two cards");
  await say(page, "yes");
  expect(await page.locator("[data-reply]").last().innerText()).toContain("Which one do you mean?");
  expect(await cards.count()).toBe(2);
  await expectTitles(page, "buy milk");
  await say(page, "yes to both");
  await expectTitles(page, "candles");
  expect(await cards.count()).toBe(0);
});

test("of two cards each is answered by itself", async () => {
  const { page } = await person();
  for (const words of ["add buy milk", "delete buy milk and put candles on the shopping list"]) await say(page, words);
  const cards = page.getByRole("region", { name: "Please confirm" });
  await cards.nth(1).getByRole("button", { name: "Yes, do it" }).click();
  await expectTitles(page, "buy milk", "candles");
  await expect.poll(() => cards.count()).toBe(1);
  await cards.getByRole("button", { name: "Delete" }).click();
  await expectTitles(page, "candles");
});

describe("a card that is set aside", () => {
  test("can still be clicked", async () => {
    const { page } = await person();
    for (const words of ["add buy milk", "delete buy milk", "add feed the cat"]) await say(page, words);
    const card = page.getByRole("region", { name: "Please confirm" });
    await card.getByRole("button", { name: "Delete" }).click();
    await expectTitles(page, "feed the cat");
    await expect.poll(() => card.count()).toBe(0);
  });

  test("is gone once its question is answered by words", async () => {
    const { page } = await person();
    for (const words of ["add buy milk", "delete buy milk", "no"]) await say(page, words);
    expect(await page.getByRole("region", { name: "Please confirm" }).count()).toBe(0);
  });
});

describe.each([
  ["phone", PHONE],
  ["desktop", DESKTOP],
] as const)("axe finds nothing in a card for several: %s", (device, viewport) => {
  test.each(["light", "dark"] as const)("%s", async colorScheme => {
    const { page } = await person({ viewport, colorScheme });
    for (const words of [
      "add buy milk tomorrow",
      "add send the invoice to Marco, high priority",
      "add call the dentist on friday at 10:30",
    ])
      await say(page, words);
    await say(page, "delete buy milk, send the invoice and call the dentist");
    const card = page.getByRole("region", { name: "Please confirm" });
    await expectAccessible(page, `several, ${device}, ${colorScheme}`);
    await card.getByRole("checkbox").nth(1).uncheck();
    await expectAccessible(page, `one taken out, ${device}, ${colorScheme}`);
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: `${PICTURES}/several-${device}-${colorScheme}.png` });
    }
    await card.getByRole("button", { name: "Yes, these 2" }).click();
    await page.getByRole("button", { name: "Undo all 2" }).waitFor();
    await expectAccessible(page, `several done, ${device}, ${colorScheme}`);
  });
});
