/** Signing out of all browsers at once, on the real service. */

import { afterAll, describe, expect, test } from "vitest";
import { closeBrowser, newPerson, newWindow, type Person, signIn, unheardOf } from "./person.ts";

afterAll(closeBrowser);

const ENTRY = "Sign out everywhere";

async function choose(person: Person, entry: string): Promise<void> {
  await person.page.locator("[popovertarget=menu]").click();
  await person.page.locator("#menu").getByRole("button", { name: entry, exact: true }).click();
}

/** What the service answers to this browser. */
async function status(person: Person): Promise<number> {
  return (await person.context.request.get("/v1/tasks")).status();
}

describe("signing out", () => {
  test("everywhere ends the sessions of all browsers of this person, and of nobody else", async () => {
    const name = unheardOf("Ada");
    const [here, phone, other] = [
      await newPerson({ called: name }),
      await newPerson({ called: name }),
      await newPerson({ name: "Bob" }),
    ];
    expect([await status(here), await status(phone), await status(other)]).toEqual([200, 200, 200]);
    await choose(here, ENTRY);
    await here.page.locator("#name").waitFor();
    expect(await here.page.locator("#message").count()).toBe(0);
    expect(await here.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(name);
    // another process may remember a session for five seconds
    await expect.poll(() => status(phone), { timeout: 15_000 }).toBe(401);
    await phone.page.reload();
    await phone.page.locator("#name").waitFor();
    expect([await status(here), await status(other)]).toEqual([401, 200]);
    await signIn(here.page, name);
    expect([await status(here), await status(phone)]).toEqual([200, 401]);
    for (const person of [here, phone, other]) await person.context.close();
  });

  test("in one window leaves nothing in the other one of this browser", async () => {
    const ada = await newPerson();
    const second = await newWindow(ada.context);
    await second.page.locator("#message").waitFor();
    await choose(ada, ENTRY);
    await ada.page.locator("#name").waitFor();
    await second.page.locator("#name").waitFor();
    expect(await second.page.locator("#message").count()).toBe(0);
    await ada.context.close();
  });

  test("says so where it fails, and the person stays signed in", async () => {
    const ada = await newPerson();
    await ada.page.route("**/v1/sessions", route => route.fulfill({ status: 503, body: "" }));
    await choose(ada, ENTRY);
    await expect.poll(() => ada.page.getByRole("button", { name: "Dismiss" }).count()).toBe(1);
    expect(await status(ada)).toBe(200);
    expect(await ada.page.locator("#message").count()).toBe(1);
    await ada.context.close();
  });
});
