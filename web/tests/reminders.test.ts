/** Reminders on the page: what rang, what is coming, permission, settings, and the page as an app. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page, Worker } from "playwright-core";
import { afterAll, afterEach, expect, inject, test } from "vitest";
import {
  addTasks,
  closeBrowser,
  DESKTOP,
  expectAccessible,
  expectTitles,
  newPerson,
  type Person,
  PHONE,
  titles,
} from "./person.ts";
import { startPushService } from "./push-service.ts";

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

/** So many minutes from now, on the clock of the test's person, as the service writes a due date. */
function inMinutes(minutes: number): string {
  const clock = new Date(Date.now() + minutes * 60_000).toLocaleString("sv-SE", { timeZone: "Europe/Rome" });
  return clock.slice(0, 16).replace(" ", "T");
}

/** Due in an hour, to be reminded of from an hour before: it rings at once. */
const ringsNow = (title: string): Record<string, string> => ({ title, due: inMinutes(60), remind: "PT2H" });

test("a reminder that rang stays until it is done, and done can be taken back", async () => {
  const { page } = await person();
  await addTasks(page, ringsNow("call mom"));
  const rang = page.locator("[data-rang]");
  await expect.poll(() => rang.allInnerTexts()).toEqual(["call mom"]);
  await page.reload();
  await expect.poll(() => rang.allInnerTexts()).toEqual(["call mom"]);

  await page.getByRole("button", { name: "Done: call mom" }).click();
  await expect.poll(() => rang.count()).toBe(0);
  await expectTitles(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectTitles(page, "call mom");
});

test("a snoozed reminder leaves the top, and is coming up in ten minutes; a dismissed one leaves its task", async () => {
  const { page } = await person();
  await addTasks(page, ringsNow("call mom"), ringsNow("feed the cat"));
  const rang = page.locator("[data-rang]");
  await expect.poll(async () => (await rang.allInnerTexts()).sort()).toEqual(["call mom", "feed the cat"]);
  await page.getByRole("button", { name: "Remind me in 10 minutes: call mom" }).click();
  await page.getByText("You will be reminded of “call mom” again in 10 minutes.").first().waitFor();
  await expect.poll(() => page.locator("[data-coming]").allInnerTexts()).toHaveLength(1);
  expect(await page.locator("[data-coming]").innerText()).toContain("call mom");
  await page.getByRole("button", { name: "Dismiss the reminder: feed the cat" }).click();
  await expect.poll(() => rang.count()).toBe(0);
  expect((await titles(page)).sort()).toEqual(["call mom", "feed the cat"]);
  await page.reload();
  await expect.poll(() => page.locator("[data-coming]").count()).toBe(1);
  expect(await rang.count()).toBe(0);
});

const UNREACHABLE = {
  endpoint: "https://push.example.com/1",
  keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) },
};

/** A browser whose push service is the test: what it is given to subscribe with is kept, nothing leaves the machine. */
async function withPush(context: BrowserContext, subscription: object = UNREACHABLE): Promise<void> {
  await context.addInitScript(given => {
    const kept = globalThis as { asked?: number; key?: number };
    const real = Notification.requestPermission.bind(Notification);
    kept.asked = 0;
    Notification.requestPermission = () => {
      kept.asked!++;
      return real();
    };
    PushManager.prototype.subscribe = async options => {
      kept.key = (options!.applicationServerKey as Uint8Array).length;
      return { toJSON: () => given } as unknown as PushSubscription;
    };
  }, subscription);
}

const kept = (page: Page): Promise<{ asked?: number; key?: number }> =>
  page.evaluate(() => {
    const { asked, key } = globalThis as { asked?: number; key?: number };
    return { asked, key };
  });

/** The service worker, in control of the page. */
async function workerOf({ page, context }: Person): Promise<Worker> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  return context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
}

/** A push message, as the service sends it. */
async function deliver({ page, context }: Person, message: object | string): Promise<void> {
  const session = await context.newCDPSession(page);
  const found = new Promise<string>(resolve =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const origin = new URL(page.url()).origin;
  await session.send("ServiceWorker.deliverPushMessage", {
    origin,
    registrationId: await found,
    data: typeof message === "string" ? message : JSON.stringify(message),
  });
  await session.detach();
}

const shown = (page: Page): Promise<{ title: string; body: string; tag: string; actions: string[] }[]> =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(one => {
      const { actions } = one as Notification & { actions: { action: string; title: string }[] };
      return { title: one.title, body: one.body, tag: one.tag, actions: actions.map(each => each.title) };
    });
  });

/** What a click on a notification, or on one of its buttons, tells the service worker. */
async function press(worker: Worker, tag: string, action: string): Promise<void> {
  await worker.evaluate(
    async ([wanted, pressed]) => {
      const { registration } = globalThis as unknown as ServiceWorkerGlobalScope;
      const [notification] = await registration.getNotifications({ tag: wanted });
      dispatchEvent(new NotificationEvent("notificationclick", { notification: notification!, action: pressed }));
    },
    [tag, action] as const,
  );
}

const ringing = (page: Page): Promise<{ id: string; task_id: string; title: string }[]> =>
  page.evaluate(async () => {
    const answer = await fetch("/v1/reminders", { headers: { "X-Sayso-Page": "1" } });
    return ((await answer.json()) as { ringing: { id: string; task_id: string; title: string }[] }).ringing;
  });

/** The tools that were called, by the person's trail. */
const called = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const answer = await fetch("/v1/trail?kind=call", { headers: { "X-Sayso-Page": "1" } });
    const { entries } = (await answer.json()) as { entries: { body: { tool: string } }[] };
    return entries.map(({ body }) => body.tool);
  });

test("the bell is there once there is a reminder, asks when it is clicked, and subscribes with the service's key", async () => {
  const { page, context } = await person();
  await withPush(context);
  await context.grantPermissions(["notifications"]);
  await page.reload();
  const bell = page.getByRole("button", { name: "Get reminders on this device" });
  await addTasks(page, { title: "buy bread" });
  await expectTitles(page, "buy bread");
  expect(await bell.count()).toBe(0);
  await addTasks(page, { title: "call mom", due: inMinutes(24 * 60), remind: "PT10M" });
  await bell.waitFor();
  expect(await kept(page)).toEqual({ asked: 0 });
  await bell.click();
  await page.getByText("Reminders will arrive on this device.").first().waitFor();
  expect(await kept(page)).toEqual({ asked: 1, key: 65 });
  expect(await bell.count()).toBe(0);
  await page.reload();
  await expect.poll(() => kept(page)).toEqual({ asked: 0, key: 65 });
});

test("a push is shown once, and its buttons complete and snooze", async () => {
  const someone = await person();
  const { page, context } = someone;
  await context.grantPermissions(["notifications"]);
  const worker = await workerOf(someone);
  await addTasks(page, ringsNow("call mom"), ringsNow("feed the cat"));
  await expect.poll(() => ringing(page)).toHaveLength(2);
  const all = await ringing(page);
  const [mom, cat] = ["call mom", "feed the cat"].map(title => all.find(one => one.title === title)!);
  const message = { ...mom!, due: inMinutes(60), language: "it" };
  for (const body of ["Due today at 5 pm.", "Due in an hour."]) {
    await deliver(someone, { ...message, body });
    const wanted = { title: "call mom", body, tag: mom!.id, actions: ["Fatto", "Tra 10 minuti"] };
    await expect.poll(() => shown(page)).toEqual([wanted]);
  }
  await press(worker, mom!.id, "done");
  await expectTitles(page, "feed the cat");
  await expect.poll(() => shown(page)).toEqual([]);

  await deliver(someone, { ...cat!, body: "Due today.", due: inMinutes(60), language: "en" });
  await expect.poll(() => shown(page)).toHaveLength(1);
  await press(worker, cat!.id, "snooze");
  await expect.poll(() => page.locator("[data-coming]").count()).toBe(1);
  await expect.poll(() => page.locator("[data-rang]").count()).toBe(0);
  await expectTitles(page, "feed the cat");
});

test("what the service encrypts for a browser is what its worker shows, and its buttons reach the trail", async () => {
  const push = await startPushService(inject("certificate"));
  const someone = await person();
  const { page, context } = someone;
  await withPush(context, push.subscription);
  await context.grantPermissions(["notifications"]);
  await page.reload();
  const worker = await workerOf(someone);
  await addTasks(page, { title: "water the roses", due: inMinutes(24 * 60), remind: "PT10M" });
  await page.getByRole("button", { name: "Get reminders on this device" }).click();
  await page.getByText("Reminders will arrive on this device.").first().waitFor();

  await addTasks(page, ringsNow("call mom"), ringsNow("feed the cat"));
  // A busy service may send one of them twice: the tag keeps it one notification.
  const came = (): string[] => push.came.map(({ message }) => (JSON.parse(message) as { title: string }).title);
  await expect.poll(() => [...new Set(came())].sort(), { timeout: 20_000 }).toEqual(["call mom", "feed the cat"]);
  for (const { message, headers } of push.came) {
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high" });
    expect(headers.authorization).toMatch(/^vapid t=/);
    await deliver(someone, message);
  }
  await expect
    .poll(async () => (await shown(page)).map(one => one.title).sort(), { timeout: 20_000 })
    .toEqual(["call mom", "feed the cat"]);
  const tagOf = async (title: string): Promise<string> => (await shown(page)).find(one => one.title === title)!.tag;
  expect((await shown(page))[0]!.actions).toEqual(["Done", "In 10 minutes"]);

  await press(worker, await tagOf("call mom"), "done");
  await expect.poll(() => titles(page)).not.toContain("call mom");
  await press(worker, await tagOf("feed the cat"), "snooze");
  await expect.poll(() => page.locator("[data-coming]").allInnerTexts()).toHaveLength(1);
  expect(await page.locator("[data-coming]").innerText()).toContain("feed the cat");
  await expect.poll(() => page.locator("[data-rang]").count()).toBe(0);
  expect((await called(page)).slice(-2)).toEqual(["complete_task", "snooze_task"]);
  push.close();
});

/** Settings from the menu, in a dialog. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("button", { name: "Reminder settings" }).last().click();
  await page.getByRole("dialog", { name: "Reminders" }).getByLabel("Time for tasks").waitFor();
}

test("an address is added, tried and removed", async () => {
  const got: string[] = [];
  const receiver = createServer((request, answer) => {
    request.on("data", part => got.push(String(part))).on("end", () => answer.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const { page } = await person();
  await openSettings(page);
  await page.getByLabel("Address for reminders").fill("file:///etc/passwd");
  await page.getByLabel("Name").fill("Phone");
  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await page.locator("dialog [role=status]").filter({ hasText: /./ }).waitFor();
  expect(await page.locator("[data-channel]").count()).toBe(0);

  await page.getByLabel("Address for reminders").fill(`json://127.0.0.1:${port}/`);
  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await page.getByText("Added “Phone”.").waitFor();
  await page.getByRole("button", { name: "Try Phone" }).click();
  await page.getByText("Sent. The message should arrive").waitFor();
  expect(got.join("")).toContain("Sayso can reach you here");
  await page.getByRole("button", { name: "Remove “Phone”" }).click();
  await expect.poll(() => page.locator("[data-channel]").count()).toBe(0);
  receiver.close();
  someone!.problems.splice(0, Number.POSITIVE_INFINITY, ...someone!.problems.filter(one => !one.includes("422")));
});

test("the morning hour and quiet hours are kept", async () => {
  const { page } = await person();
  await openSettings(page);
  await page.getByLabel("Time for tasks").fill("08:30");
  await page.getByLabel("Quiet hours").check();
  await page.getByLabel("From", { exact: true }).fill("23:15");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.reload();
  await openSettings(page);
  expect(await page.getByLabel("Time for tasks").inputValue()).toBe("08:30");
  expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("23:15");
  expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("07:00");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("the page is an app: a valid manifest, a number on its icon, and a place to share to", async () => {
  const { page, context } = await person();
  const session = await context.newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data!) as { share_target: { action: string }; icons: { src: string }[] };
  for (const { src } of manifest.icons) expect((await page.request.get(src)).status(), src).toBe(200);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A context of Playwright's is a private window, where nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter(one => one !== "in-incognito")).toEqual([]);

  await context.addInitScript(() => {
    const kept = globalThis as { badge?: number };
    Object.defineProperty(navigator, "setAppBadge", {
      value: async (count: number) => {
        kept.badge = count;
      },
    });
  });
  await addTasks(page, { title: "call mom", due: inMinutes(0).slice(0, 10) }, { title: "buy bread" });
  const words = new URLSearchParams({ title: "A recipe", text: "tomorrow", url: "https://example.com/soup" });
  await page.goto(`${manifest.share_target.action}?${words}`);
  await expect
    .poll(() => page.getByLabel("Add a task").inputValue())
    .toBe("A recipe tomorrow https://example.com/soup");
  expect(new URL(page.url()).search).toBe("");
  await expectTitles(page, "call mom", "buy bread");
  await expect.poll(() => page.evaluate(() => (globalThis as { badge?: number }).badge)).toBe(1);
  await page.getByLabel("Add a task").press("Enter");
  await expect.poll(() => titles(page)).toHaveLength(3);
  await page.reload();
  await expect.poll(() => titles(page)).toHaveLength(3);
  expect(await page.getByLabel("Add a task").inputValue()).toBe("");
});

test.each([
  ["light", "desktop", DESKTOP],
  ["dark", "phone", PHONE],
] as const)("axe finds nothing: %s, %s", async (colorScheme, device, viewport) => {
  const { page } = await person({ colorScheme, viewport, reducedMotion: "reduce" });
  await addTasks(page, ringsNow("call mom"), { title: "feed the cat", due: inMinutes(2), remind: "PT0S" });
  await page.locator("[data-rang]").waitFor();
  await page.getByRole("button", { name: "Get reminders on this device" }).waitFor();
  await expectAccessible(page, `rang, ${device}`);
  await openSettings(page);
  await page.getByLabel("Quiet hours").check();
  await expectAccessible(page, `settings, ${device}`);
});
