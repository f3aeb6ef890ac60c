/** What people do in the conversation, on the real service. */

import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  closeBrowser,
  expectTitles,
  newPerson,
  newWindow,
  type Person,
  PHONE,
  say,
  signIn,
  unheardOf,
} from "./person.ts";

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

describe("by words", () => {
  test("a task that is asked for is on the list at once, with its date", async () => {
    const { page } = await person();
    await say(page, "add water the plants tomorrow");
    await expectTitles(page, "water the plants");
    expect(await page.getByRole("heading", { name: "Tomorrow" }).isVisible()).toBe(true);
    expect(await page.locator("[data-reply]").last().innerText()).toContain("water the plants");
  });

  test("where two tasks fit, a button settles it", async () => {
    const { page } = await person();
    await say(page, "add wash the car");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    const options = page.locator("ol[aria-label] button");
    expect(await options.count()).toBe(2);
    await options.filter({ hasText: "wash the windows" }).click();
    await expectTitles(page, "wash the car");
  });

  test("where two tasks fit, words settle it, too", async () => {
    const { page } = await person();
    await say(page, "add wash the car");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    await say(page, "the windows");
    await expectTitles(page, "wash the car");
  });

  test("a number on the keyboard chooses", async () => {
    const { page } = await person();
    await say(page, "add wash the car");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    const second = await page.locator("ol[aria-label] button").nth(1).locator("bdi").first().innerText();
    await page.locator("ol[aria-label] button").first().focus();
    await page.keyboard.press("2");
    await expect.poll(() => page.locator("[data-reply]").count()).toBe(4);
    await expectTitles(page, ...["wash the car", "wash the windows"].filter(title => title !== second));
  });

  test("a delete waits for a yes to its card, and is taken back by undo", async () => {
    const { page } = await person();
    await say(page, "add pay the rent");
    await say(page, "delete pay the rent");
    const card = page.getByRole("region", { name: "Please confirm" });
    expect(await card.innerText()).toContain("pay the rent");
    expect(await card.innerText()).toContain("can be undone for 30 days");
    await expectTitles(page, "pay the rent");
    await card.getByRole("button", { name: "Delete" }).click();
    await expectTitles(page);
    await page.getByRole("button", { name: "Undo: pay the rent" }).last().click();
    await expectTitles(page, "pay the rent");
  });

  test("a no leaves everything as it is", async () => {
    const { page } = await person();
    await say(page, "add pay the rent");
    await say(page, "delete pay the rent");
    await page.getByRole("button", { name: "No, leave it" }).click();
    await expect.poll(() => page.getByRole("region", { name: "Please confirm" }).count()).toBe(0);
    await expectTitles(page, "pay the rent");
  });

  test("why shows the words that counted and how sure it was", async () => {
    const { page } = await person();
    await say(page, "add water the plants tomorrow");
    await page.getByRole("button", { name: "Why?" }).click();
    const why = page.getByRole("region", { name: "Why this happened" });
    expect(await why.locator("mark").allInnerTexts()).toEqual(["water the plants", "tomorrow"]);
    expect(await why.innerText()).toMatch(/\d+% sure/);
  });
});

describe("whatever happens in between", () => {
  test("a reload in the middle of a question keeps it open", async () => {
    const { page } = await person();
    await say(page, "add wash the car");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    await page.reload();
    await page.locator("ol[aria-label] button").filter({ hasText: "wash the car" }).click();
    await expectTitles(page, "wash the windows");
  });

  test("a reload in front of a card keeps it open", async () => {
    const { page } = await person();
    await say(page, "add pay the rent");
    await say(page, "delete pay the rent");
    await page.reload();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expectTitles(page);
  });

  test("what one window does the other shows, list and words", async () => {
    const { page, context } = await person();
    const other = (await newWindow(context)).page;
    await other.locator("#message").waitFor();
    await say(page, "add feed the cat");
    await expectTitles(other, "feed the cat");
    await expect.poll(() => other.locator("[data-reply]").count()).toBe(1);
    await say(other, "complete feed the cat");
    await expectTitles(page);
  });

  test("a second device goes on with the same conversation, until a new one is begun", async () => {
    const name = unheardOf("Ada");
    const { page } = await person({ called: name });
    await say(page, "add wash the car");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    const { page: phone } = await person({ called: name, viewport: PHONE, hasTouch: true, isMobile: true });
    await phone.getByRole("link", { name: "Conversation" }).tap();
    await expect.poll(() => phone.locator("[data-reply]").count()).toBe(3);
    await phone.locator("ol[aria-label] button").filter({ hasText: "wash the car" }).tap();
    await expectTitles(page, "wash the windows");
    await expect.poll(() => page.locator("[data-reply]").count()).toBe(4);

    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.reload();
    await page.getByText("what can I do for you").waitFor();
    await say(page, "add feed the cat");
    await expect.poll(() => phone.locator("[data-reply]").allInnerTexts()).toHaveLength(1);
    await say(phone, "complete it");
    await expect.poll(() => page.locator("[data-reply]").count()).toBe(2);
    await expectTitles(page, "wash the windows");
  });

  test("what another browser of the same person does is shown, too", async () => {
    const { page, context } = await person();
    const state = await context.storageState();
    const elsewhere = await context.browser()!.newContext({ storageState: { ...state, origins: [] } });
    const answer = await elsewhere.request.post(`${new URL(page.url()).origin}/v1/tasks`, {
      data: { title: "from elsewhere" },
      headers: { "X-Sayso-Page": "1", "Idempotency-Key": "elsewhere", "Sec-Fetch-Site": "same-origin" },
    });
    expect(answer.ok()).toBe(true);
    await expectTitles(page, "from elsewhere");
    await elsewhere.close();
  });

  test("a message whose answer is lost is sent again and done once", async () => {
    const { page, problems } = await person();
    await say(page, "add sweep the hall");
    let lost = 0;
    await page.route("**/messages", async route => {
      if (lost++ > 0) return route.continue();
      await route.fetch(); // it reaches the service, and the answer goes astray
      await route.abort("connectionreset");
    });
    await page.locator("#message").fill("add mop the floor");
    await page.locator("#message").press("Enter");
    await expectTitles(page, "sweep the hall", "mop the floor");
    await expect.poll(() => page.locator("[data-reply]").count(), { timeout: 10_000 }).toBe(2);
    expect(lost).toBe(2);
    problems.length = 0; // the lost answer is reported by the browser
  });

  test("what is written offline is kept over a reload and sent once when back", async () => {
    const { page, context } = await person();
    await say(page, "add a task to call home");
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.ready.then(() => true))).toBe(true);
    await page.reload();
    await context.setOffline(true);
    await page.locator("#message").fill("add buy stamps");
    await page.locator("#message").press("Enter");
    await page.getByText("It will be sent once").waitFor();
    await page.reload();
    await expectTitles(page, "call home");
    await page.getByText("It will be sent once").waitFor();
    await context.setOffline(false);
    await expectTitles(page, "call home", "buy stamps");
    await expect.poll(() => page.locator("[data-reply]").count()).toBe(2);
    expect(await page.evaluate(() => localStorage.getItem("sayso.me.outbox"))).toBe("[]");
    people[0]!.problems.length = 0; // the browser reports each request that found no network
  });
});

test("when the session is over, what was written is sent after signing in again", async () => {
  const name = unheardOf("Ada");
  const { page, context, problems } = await person({ called: name });
  await say(page, "add sweep the hall");
  await page.waitForTimeout(2000); // the list and the conversation are looked at once more after a change
  await page.locator("#message").fill("add mop the floor");
  await context.clearCookies();
  await page.locator("#message").press("Enter");
  await page.getByText("You were signed out").waitFor();
  await signIn(page, name);
  await expectTitles(page, "sweep the hall", "mop the floor");
  problems.length = 0; // the browser reports the 401
});

test("the page itself never scrolls, only its panes do", async () => {
  const { page } = await person({ viewport: PHONE });
  for (let number = 0; number < 8; number++) await say(page, `add errand ${number} of many`);
  await page.getByRole("button", { name: "Why?" }).last().click();
  const moved = await page.evaluate(() => {
    const { scrollTop, scrollHeight } = document.documentElement;
    return [scrollTop, document.body.scrollTop, scrollHeight - innerHeight];
  });
  expect(moved).toEqual([0, 0, 0]);
});

test("in Italian, all of it", async () => {
  const { page } = await person({ locale: "it-IT" });
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("it");
  await say(page, "aggiungi innaffiare le piante domani");
  await expectTitles(page, "innaffiare le piante");
  expect(await page.getByRole("heading", { name: "Domani" }).isVisible()).toBe(true);
  await say(page, "elimina innaffiare le piante");
  const card = page.getByRole("region", { name: "Serve la tua conferma" });
  expect(await card.innerText()).toContain("Si può annullare per 30 giorni");
  await card.getByRole("button", { name: "Elimina" }).click();
  await expectTitles(page);
  await page.getByRole("button", { name: "Impostazioni" }).click();
  await page.getByLabel("Lingua").selectOption("en");
  await page.getByRole("region", { name: "Your list" }).waitFor();
});
