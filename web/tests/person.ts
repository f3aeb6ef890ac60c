/** A person at a browser of their own: what the tests do, in words. */

import axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect, inject } from "vitest";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

let browser: Browser | undefined;

export async function openBrowser(): Promise<Browser> {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

export interface Person {
  page: Page;
  context: BrowserContext;
  problems: string[];
}

/** Somebody new, signed in, with the page open. */
export async function newPerson(
  options: BrowserContextOptions & { name?: string; called?: string; url?: string } = {},
): Promise<Person> {
  const { name = "Ada", called, url = inject("service"), ...more } = options;
  const context = await (await openBrowser()).newContext({
    viewport: DESKTOP,
    locale: "en-GB",
    timezoneId: "Europe/Rome",
    baseURL: url,
    ...more,
  });
  const { page, problems } = await newWindow(context);
  await signIn(page, called ?? unheardOf(name));
  return { page, context, problems };
}

/** One more window of the same browser. */
export async function newWindow(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", error => problems.push(String(error)));
  page.on("console", said => {
    if (said.type() === "error" && !said.text().includes("ERR_INTERNET_DISCONNECTED")) problems.push(said.text());
  });
  await page.goto("/");
  return { page, problems };
}

let people = 0;

/** A name that nobody has had before. */
export function unheardOf(name: string): string {
  return `${name} ${process.pid.toString(36)}${++people}`;
}

export async function signIn(page: Page, name: string): Promise<void> {
  await page.locator("#name").fill(name);
  await page.locator("#name").press("Enter");
  await page.locator("#message").waitFor();
}

export async function say(page: Page, words: string): Promise<void> {
  const answers = page.locator("ol > li:not([data-pending]) [data-reply]");
  const before = await answers.count();
  await page.locator("#message").fill(words);
  await page.locator("#message").press("Enter");
  await expect.poll(() => answers.count(), { timeout: 10_000 }).toBe(before + 1);
}

/** Put tasks on the list as a program does, with all their fields. The page hears of it. */
export async function addTasks(page: Page, ...tasks: Record<string, string>[]): Promise<void> {
  const failed = await page.evaluate(async all => {
    const headers = { "Content-Type": "application/json", "X-Sayso-Page": "1" };
    const statuses: number[] = [];
    for (const task of all)
      statuses.push((await fetch("/v1/tasks", { method: "POST", headers, body: JSON.stringify(task) })).status);
    return statuses.filter(status => status !== 200);
  }, tasks);
  expect(failed).toEqual([]);
}

/** The button that shows one named list, or all of them. */
export function listButton(page: Page, name: string): Locator {
  return page.getByRole("group", { name: /^(Lists|Liste)$/ }).getByRole("button", { name, exact: true });
}

/** The titles on the list, from top to bottom. */
export async function titles(page: Page): Promise<string[]> {
  return page.locator("[data-title]").allInnerTexts();
}

export async function expectTitles(page: Page, ...wanted: string[]): Promise<void> {
  await expect.poll(() => titles(page)).toEqual(wanted);
}

/** No violation, whatever the state: by axe, with all its rules. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map(one => one.finish?.())));
  await page.evaluate(axe.source); // by the driver: the page itself may run no such text
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await checker.run(document, { resultTypes: ["violations"] });
    return violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 200)).join(" | ")}`);
  });
  expect(found, state).toEqual([]);
}
