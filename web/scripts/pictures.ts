/** Takes the pictures of the documentation from the real page: `npm run pictures`, or with SAYSO_PICTURES=folder. */

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, inject, test } from "vitest";
import { closeBrowser, DESKTOP, newPerson, openBrowser, PHONE, say } from "../tests/person.ts";

const FOLDER = process.env.SAYSO_PICTURES ?? fileURLToPath(new URL("../../docs/pictures/page/", import.meta.url));
const WORDS = {
  en: {
    adds: [
      "add send the invoice to Marco yesterday with high priority",
      "add call the dentist tomorrow at 10",
      "add buy bread",
      "add buy bread rolls for Saturday",
      "add read the contract by next Friday",
    ],
    which: "complete the bread task",
    second: "the second one",
    remove: "delete the dentist task",
  },
  it: {
    adds: [
      "aggiungi mandare la fattura a Marco per ieri con priorità alta",
      "aggiungi chiamare il dentista domani alle 10",
      "aggiungi comprare il pane",
      "aggiungi comprare il pane integrale per sabato",
      "aggiungi leggere il contratto entro venerdì prossimo",
    ],
    which: "completa il pane",
    second: "la seconda",
    remove: "elimina il dentista",
  },
} as const;

mkdirSync(FOLDER, { recursive: true });
afterAll(closeBrowser);

const only = process.env.SAYSO_ONLY ?? "";
for (const lang of ["en", "it"] as const) {
  for (const theme of ["light", "dark"] as const) {
    for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      const name = `${device}-${theme}-${lang}`;
      if (!name.includes(only)) continue;
      test(name, async () => {
        const locale = lang === "en" ? "en-GB" : "it-IT";
        const more = {
          viewport,
          locale,
          colorScheme: theme,
          hasTouch: device === "phone",
          isMobile: device === "phone",
        } as const;
        const shoot = (page: Page, state: string): Promise<unknown> => still(page, `${FOLDER}/${state}-${name}.png`);
        const stranger = await (await openBrowser()).newContext({ ...more, baseURL: inject("service") });
        const door = await stranger.newPage();
        await door.goto("/");
        await door.locator("#name").waitFor();
        await shoot(door, "sign-in");
        const { page } = await newPerson(more);
        await shoot(page, "welcome");
        const words = WORDS[lang];
        for (const add of words.adds) await say(page, add);
        await say(page, words.which);
        await shoot(page, "question");
        await say(page, words.second);
        await page.locator("[data-reply] button[aria-expanded]").last().click();
        await shoot(page, "why");
        await say(page, words.remove);
        await shoot(page, "card");
        await page.locator("[data-reply] section button").first().click();
        await page.waitForTimeout(400);
        await shoot(page, "deleted");
        await page.goto("/#list");
        await page.waitForTimeout(200);
        await page.locator("[data-part=check]").first().click();
        await page.waitForTimeout(300);
        await shoot(page, "list");
        await page.locator("[data-part=title]").first().click();
        await shoot(page, "edit");
        await page.goto("/#trail");
        await page.waitForTimeout(500);
        await page.locator("main button").first().click();
        await page.waitForTimeout(300);
        await shoot(page, "trail");
      });
    }
  }
}

async function still(page: Page, path: string): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.getAnimations()) one.finish?.();
  });
  await page.screenshot({ path });
}
