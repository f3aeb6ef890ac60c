/** axe finds nothing wrong in any state, light and wide or dark and narrow. */

import { afterAll, describe, inject, test } from "vitest";
import {
  addTasks,
  closeBrowser,
  DESKTOP,
  expectAccessible,
  listButton,
  newPerson,
  openBrowser,
  PHONE,
  say,
} from "./person.ts";

afterAll(closeBrowser);

describe.each(["light", "dark"] as const)("%s", colorScheme => {
  test("signing in", async () => {
    const context = await (await openBrowser()).newContext({ colorScheme, baseURL: inject("service") });
    const page = await context.newPage();
    await page.goto("/");
    await page.locator("#name").waitFor();
    await expectAccessible(page, "sign-in");
    await context.close();
  });

  const [device, viewport] = colorScheme === "light" ? (["desktop", DESKTOP] as const) : (["phone", PHONE] as const);
  test(`every state on a ${device}`, async () => {
    const { page, context } = await newPerson({ colorScheme, viewport, reducedMotion: "reduce" });
    const check = (state: string): Promise<void> => expectAccessible(page, `${state}, ${device}, ${colorScheme}`);
    const show = async (view: string): Promise<void> => {
      await page.evaluate(to => {
        location.hash = to;
      }, view);
      await page.waitForTimeout(150);
    };
    await check("welcome");
    await say(page, "add wash the car yesterday with high priority");
    await say(page, "add wash the windows");
    await say(page, "complete wash");
    await check("question");
    await page.getByRole("button", { name: "Why?" }).last().click();
    await check("why");
    await say(page, "delete the windows");
    await check("card");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: /^Undo/ }).last().waitFor();
    await check("done");
    await show("list");
    await check("list");
    await page.getByLabel("Add a task").fill("wash the curtains tomorrow, high priority");
    await page.locator("[data-chip]").first().waitFor();
    await check("what was read");
    await page.getByLabel("Add a task").fill("");
    await addTasks(page, { title: "wash the dog", due: "2020-01-04", repeat: "FREQ=WEEKLY;BYDAY=SA", list: "Home" });
    await listButton(page, "Home").click();
    await page.getByRole("button", { name: "Edit: wash the dog" }).waitFor();
    await check("named list");
    await page.getByRole("button", { name: "Edit: wash the dog" }).click();
    await page.getByLabel("Reminder").selectOption("PT1H");
    await check("editor of a repeating task");
    await page.getByRole("button", { name: "Cancel" }).click();
    await listButton(page, "All lists").click();
    await page.getByRole("button", { name: "Search tasks" }).click();
    await check("search");
    await page.getByRole("button", { name: /^Edit/ }).first().click();
    await check("editor");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page
      .getByRole("button", { name: /^Complete/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Dismiss" }).waitFor();
    await check("notice");
    await page.getByRole("button", { name: "Settings" }).click();
    await check("settings");
    await page.keyboard.press("Escape");
    await show("trail");
    await page.locator("summary").first().click();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/^Intact/).waitFor();
    await check("trail");
    await show("talk");
    await context.setOffline(true);
    await page.locator("#message").fill("add something else");
    await page.locator("#message").press("Enter");
    await page.getByText("It will be sent once").waitFor();
    await check("offline");
    await context.close();
  });
});
