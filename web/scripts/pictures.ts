/** Takes the pictures of the documentation from the real page: `npm run pictures` in web. With `SAYSO_PICTURES` it writes every
 * state into that folder; else only the pictures that a page of the documentation shows. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, inject, test } from "vitest";
import { type House, hasBroker, startHouse } from "../tests/fleet.ts";
import { addTasks, closeBrowser, DESKTOP, newPerson, openBrowser, PHONE, say } from "../tests/person.ts";
import { animated, type Frame } from "./animation.ts";

const FOLDER = process.env.SAYSO_PICTURES ?? fileURLToPath(new URL("../../docs/pictures/page/", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" }).filter(name => name.endsWith(".md"));
const SHOWN = ["README.md", ...PAGES.map(name => `docs/${name}`)].map(name => readFileSync(ROOT + name, "utf8")).join();
const isWanted = (name: string): boolean => Boolean(process.env.SAYSO_PICTURES) || SHOWN.includes(`${name}.webp`);
const NAMES = ["Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gaia", "Hugo"];
const ONLY = process.env.SAYSO_ONLY ?? "";
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
    repeating: { title: "water the plants", list: "Home" },
    today: [{ title: "pick up the parcel" }, { title: "order coffee", list: "Shopping" }],
    remove: "delete the dentist task",
    several: "delete the invoice, the bread and the contract",
  },
  it: {
    adds: [
      "aggiungi mandare la fattura a Marco per ieri con priorità alta",
      "aggiungi chiamare il dentista domani alle 10",
      "aggiungi comprare il pane",
      "aggiungi comprare i panini per sabato",
      "aggiungi leggere il contratto entro venerdì prossimo",
    ],
    which: "completa comprare",
    second: "la seconda",
    repeating: { title: "annaffiare le piante", list: "Casa" },
    today: [{ title: "ritirare il pacco" }, { title: "ordinare il caffè", list: "Spesa" }],
    remove: "elimina il dentista",
    several: "elimina la fattura, il pane e il contratto",
  },
} as const;

mkdirSync(FOLDER, { recursive: true });
afterAll(closeBrowser);

for (const lang of ["en", "it"] as const) {
  for (const theme of ["light", "dark"] as const) {
    for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      const name = `${device}-${theme}-${lang}`;
      if (!name.includes(ONLY)) continue;
      const isPhone = device === "phone";
      const locale = lang === "en" ? "en-GB" : "it-IT";
      const how = { viewport, locale, colorScheme: theme, hasTouch: isPhone, isMobile: isPhone };
      const called = NAMES.pop()!;
      test(name, () => states({ ...how, called }, WORDS[lang], (page, state) => still(page, `${state}-${name}`)));
    }
  }
}

type How = BrowserContextOptions & { called: string };
type Shoot = (page: Page, state: string) => Promise<void>;

/** Every state of the page, one after the other. */
async function states({ called, ...how }: How, words: (typeof WORDS)["en" | "it"], shoot: Shoot): Promise<void> {
  const stranger = await (await openBrowser()).newContext({ ...how, baseURL: inject("service") });
  const door = await stranger.newPage();
  await door.goto("/");
  await door.locator("#name").waitFor();
  await shoot(door, "sign-in");
  await stranger.close();

  const { page, context } = await newPerson({ ...how, called });
  await shoot(page, "welcome");
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
  await say(page, words.several);
  await shoot(page, "several");
  await page.locator("[data-reply] section button").last().click();
  await page.waitForTimeout(400);
  const today = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rule = { repeat: "FREQ=WEEKLY", remind: "PT1H" };
  const dueToday = words.today.map(task => ({ ...task, due: today }));
  await addTasks(page, { ...words.repeating, ...rule, due: `${tomorrow}T18:00` }, ...dueToday);
  await page.goto("/#list");
  await page.locator("[data-title]", { hasText: words.today[1].title }).waitFor();
  await page.locator("[data-part=check]").first().click();
  await page.waitForTimeout(1500);
  await shoot(page, "list");
  await dragOver(page, words.today[0].title, `day:${tomorrow}`);
  await shoot(page, "drag");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.locator("[data-part=title]", { hasText: words.repeating.title }).click();
  await page.waitForTimeout(400);
  await shoot(page, "edit");
  await page.goto("/#trail");
  await page.locator("summary").first().waitFor();
  await page.locator("main button").first().click();
  await page.waitForTimeout(400);
  await shoot(page, "trail");
  await page.goto("/#talk");
  await context.setOffline(true);
  await page.locator("#message").fill(words.adds[0]);
  await page.locator("#message").press("Enter");
  await page.waitForTimeout(400);
  await shoot(page, "offline");
  await context.close();
}

/** Drag a task over a place, and hold it there. */
async function dragOver(page: Page, title: string, place: string): Promise<void> {
  const from = (await page.locator("[data-part=title]", { hasText: title }).boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + 40);
  await page.locator("[data-ghost]").waitFor();
  const to = (await page.locator(`[data-drop="${place}"]`).last().boundingBox())!;
  await page.mouse.move(to.x + to.width / 3, to.y + to.height / 2);
}

async function still(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return;
  await page.evaluate(settled);
  const to = await page.context().newCDPSession(page);
  const { data } = await to.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  writeFileSync(`${FOLDER}/${name}.webp`, Buffer.from(data, "base64"));
  await to.detach();
}

/** The page at rest, as an operator's users see it: without the banner of development mode. */
function settled(): void {
  const banner = document.querySelector<HTMLElement>("[data-part=development]");
  if (banner) banner.style.display = "none";
  for (const one of document.getAnimations()) if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
}

const TOLD = {
  en: ["turn on the kitchen oven", "set the kitchen lamp to 60", "start the kitchen pump"],
  it: [
    "accendi il forno della cucina",
    "imposta la luminosità della lampada della cucina a 60",
    "avvia la pompa della cucina",
  ],
} as const;

const ASKED = { en: "how warm is the kitchen fridge?", it: "che temperatura ha il frigo della cucina?" } as const;

/** Machines that have been running for a while, told something. */
test.runIf(hasBroker && (!ONLY || ONLY === "machines"))("machines", async () => {
  let house: House | undefined;
  try {
    house = await startHouse();
    for (const lang of ["en", "it"] as const) {
      const locale = lang === "en" ? "en-GB" : "it-IT";
      const called = lang === "en" ? "Lea" : "Luca";
      await house.furnish(called, 4, lang);
      const { page, context } = await newPerson({ locale, called, url: house.url });
      await page.waitForTimeout(6000);
      for (const words of TOLD[lang]) await say(page, words);
      await page.waitForTimeout(9000);
      await context.close();
      for (const theme of ["light", "dark"] as const) {
        for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
          const isPhone = device === "phone";
          const how = { viewport, locale, colorScheme: theme, hasTouch: isPhone, isMobile: isPhone };
          const { page, context } = await newPerson({ ...how, called, url: house.url });
          await page
            .locator("[data-reply]")
            .nth(TOLD[lang].length - 1)
            .waitFor({ state: "attached" }); // what was said before
          if (!isPhone) await say(page, ASKED[lang]);
          await page.goto("/#machines");
          await page.locator("svg[role=img]").first().waitFor();
          await page.waitForTimeout(400);
          await still(page, `machines-${device}-${theme}-${lang}`);
          await context.close();
        }
      }
    }
  } finally {
    await house?.stop();
  }
});

test.runIf(!ONLY || ONLY === "moving")("moving", async () => {
  const { page, context } = await newPerson({
    called: "Ida",
    viewport: { width: 960, height: 600 },
    colorScheme: "light",
  });
  const frames: Frame[] = [];
  const shoot = async (milliseconds: number): Promise<void> => {
    await page.evaluate(settled);
    frames.push({ png: await page.screenshot({ caret: "hide" }), milliseconds });
  };
  const type = async (words: string): Promise<void> => {
    const field = page.locator("#message");
    for (let end = 4; end < words.length; end += 4) {
      await field.fill(words.slice(0, end));
      await shoot(70);
    }
    await field.fill(words);
    await shoot(350);
  };
  for (const words of ["add buy bread", "add water the plants on Saturday"]) await say(page, words);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "New conversation" }).click();
  await shoot(900);
  for (const [words, pause] of [
    ["add buy bread rolls tomorrow at 9", 1800],
    ["complete the bread task", 1800],
    ["the second one", 1800],
    ["delete the plants", 2200],
  ] as const) {
    await type(words);
    await say(page, words);
    await page.mouse.move(5, 300);
    await shoot(pause);
  }
  await page.locator("[data-reply] section button").first().click();
  await page.waitForTimeout(400);
  await shoot(1600);
  await page.getByRole("button", { name: /^Undo/ }).last().click();
  await page.waitForTimeout(900);
  await shoot(2600);
  writeFileSync(`${FOLDER}/moving.png`, animated(frames));
  await context.close();
});
