/** Machines on the page: simulated ones, over a real broker. */

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type House, hasBroker, startHouse } from "./fleet.ts";
import { closeBrowser, DESKTOP, expectAccessible, newPerson, PHONE, say, unheardOf } from "./person.ts";

let house: House;

const machine = (page: Page, name: string): Locator =>
  page.getByRole("region", { name: "Your machines" }).getByRole("listitem").filter({ hasText: name });

beforeAll(async () => {
  if (hasBroker) house = await startHouse();
});
afterAll(async () => {
  await closeBrowser();
  await house?.stop();
});

describe.runIf(hasBroker)("with a broker", () => {
  test("machines show their readings as curves, and what they are told is seen at once", async () => {
    const called = unheardOf("Ada");
    await house.furnish(called, 3);
    const { page, context, problems } = await newPerson({ url: house.url, called });
    await page.getByRole("link", { name: "Machines" }).click();
    const fridge = machine(page, "Fridge kitchen");
    const lamp = machine(page, "Lamp kitchen");
    await fridge.getByText("connected").waitFor();
    const curve = fridge.getByRole("img", { name: /^temperature over the last/ });
    await curve.waitFor();
    expect(await curve.getAttribute("aria-label")).toMatch(/between .* and .*, now .*°C$/);
    expect(await fridge.innerText()).toMatch(/door\s*(open|closed)/);
    const before = await curve.locator("path").last().getAttribute("d");
    await expect.poll(() => curve.locator("path").last().getAttribute("d")).not.toBe(before);

    await say(page, "set the brightness of the kitchen lamp to 35");
    await lamp.getByText(/Last command: Set brightness 35\s% · done/).waitFor();
    await expect.poll(() => lamp.innerText()).toMatch(/brightness\s*35\s%/i);
    expect(new URL(page.url()).hash).toBe("#machines"); // on a wide screen the conversation is beside it
    expect(problems).toEqual([]);
    await context.close();
  });

  test("what cannot be taken back is asked about with the machine's name, and a machine that goes is said to be gone", async () => {
    const called = unheardOf("Ada");
    const machines = await house.furnish(called, 1);
    const { page, context, problems } = await newPerson({ url: house.url, called });
    await page.getByRole("link", { name: "Machines" }).click();
    const fridge = machine(page, "Fridge kitchen");
    await fridge.getByText("connected").waitFor();
    await say(page, "factory reset the kitchen fridge");
    const card = page.getByRole("region", { name: "Please confirm" });
    expect(await card.innerText()).toContain("Fridge kitchen");
    await expectAccessible(page, "a card about a machine");
    await card.getByRole("button", { name: "Yes" }).click();
    await fridge.getByText(/Last command: Factory reset · done/).waitFor();
    machines.kill("SIGINT");
    await fridge.getByText("not connected").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("whoever has none is offered none", async () => {
    const { page, context } = await newPerson({ url: house.url });
    await page.waitForLoadState("networkidle").catch(() => null);
    expect(await page.getByRole("link", { name: "Machines" }).count()).toBe(0);
    await page.evaluate(() => {
      location.hash = "machines";
    });
    await page.getByRole("region", { name: "Your list" }).waitFor();
    await context.close();
  });

  test("axe finds nothing, light or dark, wide or narrow, in Italian as well", async () => {
    const called = unheardOf("Ada");
    await house.furnish(called, 2, "it");
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of [DESKTOP, PHONE]) {
        const how = { url: house.url, called, colorScheme, viewport, locale: "it-IT" };
        const { page, context } = await newPerson(how);
        await page.getByRole("link", { name: "Macchine" }).click();
        await page
          .getByRole("img", { name: /^temperatura/ })
          .first()
          .waitFor();
        await expectAccessible(page, `machines, ${viewport.width}, ${colorScheme}`);
        await context.close();
      }
    }
  });
});

test("without a broker nothing is offered, and nothing asked for", async () => {
  const { page, context, problems } = await newPerson({ url: inject("service") });
  const asked: string[] = [];
  page.on("request", request => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.locator("#message").waitFor();
  await page.waitForTimeout(300);
  expect(asked).not.toContain("/v1/machines");
  expect(await page.getByRole("link", { name: "Machines" }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});
