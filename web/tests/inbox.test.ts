/** The gateway's inbox in Chromium: pairing on this machine and on a phone over TLS, signed answers, the list, axe. */

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, type Gateway, PHONE_HOST, startGateway } from "./gateway.ts";
import { DESKTOP, expectAccessible, PHONE } from "./person.ts";

let gateway: Gateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await startGateway();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${PHONE_HOST} 127.0.0.1`],
  });
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** A browser of somebody's own, paired with a code that is in the address as a phone gets it from the QR code. */
async function paired(base: string, more: Record<string, unknown>): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: "reduce", ...more });
  const page = await context.newPage();
  page.on("pageerror", error => expect.soft(String(error)).toBe(""));
  await page.goto(`${base}/inbox/pair#${codeOf(gateway.sayso("pair"))}`);
  await page.getByRole("button", { name: "Pair this browser" }).click();
  await page.waitForURL(/\/inbox\/devices/);
  return { context, page };
}

const notes = async (): Promise<unknown> => (await gateway.call("list_notes", {})).result;
const runIt = (page: Page) => page.getByRole("button", { name: "Run it", exact: true });

test("a yes of a paired phone is signed, runs the call once, and axe finds nothing", async () => {
  const { context, page } = await paired(gateway.phone, { viewport: PHONE, colorScheme: "dark", hasTouch: true });
  await page.getByText("signs its answers").waitFor();
  await expectAccessible(page, "devices");
  await page.goto(`${gateway.phone}/inbox`);
  await page.getByText("No questions are open.").waitFor();
  const told = await gateway.call("delete_note", { text: "Buy milk" }, "what is on my list?");
  expect(told.status).toBe("needs_confirmation");
  await page.getByText("Buy milk").first().waitFor(); // without loading the page again
  await expectAccessible(page, "questions");
  await runIt(page).click();
  await page.waitForURL(/said=yes/);
  expect(await notes()).toContain("Buy milk");
  await gateway.call("delete_note", { text: "Buy milk" });
  expect(await notes()).not.toContain("Buy milk");
  await page.goto(`${gateway.phone}/inbox/trail?q=answered`);
  await page.getByRole("link", { name: /^\d+$/ }).first().click();
  await page.getByText('"signature"').waitFor();
  await expectAccessible(page, "entry");
  await context.close();
});

test("a question that is being answered stays while others come and go", async () => {
  const { context, page } = await paired(gateway.local, { viewport: DESKTOP, colorScheme: "light" });
  await page.goto(`${gateway.local}/inbox`);
  const first = await gateway.call("delete_note", { text: "First" });
  await runIt(page).focus();
  await gateway.call("delete_note", { text: "Second" });
  await page.getByText("Second").first().waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Run it");
  expect(await page.locator("#count").innerText()).toBe("2");
  await expectAccessible(page, "questions on a desktop");
  expect(first.url).toMatch(/\/confirm\//);
  for (const place of ["trail", "grants", "replay", "devices"]) {
    await page.goto(`${gateway.local}/inbox/${place}`);
    await expectAccessible(page, place);
  }
  await context.close();
});

test("the key of a device cannot be read out, and its cookie alone answers nothing", async () => {
  const { context, page } = await paired(gateway.phone, { viewport: PHONE });
  const kept = await page.evaluate(
    () =>
      new Promise<{ extractable: boolean; exported: string }>(resolve => {
        const opening = indexedDB.open("sayso", 1);
        opening.onsuccess = () => {
          const asked = opening.result.transaction("keys").objectStore("keys").get("device");
          asked.onsuccess = async () => {
            const key: CryptoKey = asked.result.privateKey;
            const exported = await crypto.subtle.exportKey("pkcs8", key).then(
              () => "exported",
              error => String(error.name),
            );
            resolve({ extractable: key.extractable, exported });
          };
        };
      }),
  );
  expect(kept).toEqual({ extractable: false, exported: "InvalidAccessError" });
  await gateway.call("delete_note", { text: "Third" });
  await page.goto(`${gateway.phone}/inbox`);
  await page.evaluate(() => indexedDB.deleteDatabase("sayso"));
  const card = page.locator("article", { hasText: "Third" });
  await runIt(page).last().click();
  await card.getByText("This browser has lost its key.").waitFor();
  const status = await card.locator("form").evaluate(async form => {
    const fields = new URLSearchParams(new FormData(form as HTMLFormElement) as unknown as Record<string, string>);
    fields.set("answer", "yes");
    return (await fetch((form as HTMLFormElement).action, { method: "POST", body: fields })).status;
  });
  expect(status).toBe(403);
  expect((await gateway.call("delete_note", { text: "Third" })).status).toBe("needs_confirmation");
  await context.close();
});
