/** The service worker: keeps the files of the page, so that it opens without a connection, and shows reminders. It
 * keeps nothing of what people say or have on their lists; the page does that itself, and forgets it at signing out. */

const KEPT = "sayso-__VERSION__";
const FILES = "__FILES__".split(" ");
/** The words of notifications by language. */
const WORDS = JSON.parse("__WORDS__") as Record<string, Record<string, string>>;
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

worker.addEventListener("install", event => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then(cache => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", event => {
  const old = async (): Promise<void> => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(old());
});

worker.addEventListener("fetch", event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate" && pathname === "/") event.respondWith(fresh("/", request));
  else if (FILES.includes(pathname)) event.respondWith(fresh(pathname, request));
});

/** Files whose name holds their content never change. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** The service's own answer; without a connection, the one that was kept. */
async function fresh(name: string, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(name);
    if (found) return found;
    throw error;
  }
}

interface Pushed {
  id: string;
  task_id: string;
  title: string;
  body: string;
  language: string;
}

/** Under the reminder's id as tag, so that a message that comes twice is shown once. */
worker.addEventListener("push", event => {
  const pushed = event.data?.json() as Pushed | undefined;
  if (pushed) event.waitUntil(show(pushed));
});

function show(pushed: Pushed): Promise<void> {
  const words = WORDS[pushed.language] ?? WORDS.en!;
  const actions = ["done", "snooze"].map(action => ({ action, title: words[action]! }));
  const options = {
    body: pushed.body,
    tag: pushed.id,
    lang: pushed.language,
    icon: "/icon-192.png",
    data: pushed,
    actions: pushed.task_id ? actions : [], // a test message is about no task
  };
  return worker.registration.showNotification(pushed.title, options);
}

worker.addEventListener("notificationclick", event => {
  const pushed = event.notification.data as Pushed;
  event.notification.close();
  event.waitUntil(event.action ? settle(pushed, event.action) : open());
});

/** What was pressed on the notification. Where it could not be done, the notification is back. */
async function settle(pushed: Pushed, action: string): Promise<void> {
  const path = `/v1/reminders/${pushed.id}/${action}`;
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      Accept: "application/json",
      "Accept-Language": pushed.language,
      "Content-Type": "application/json",
      "X-Sayso-Page": "1",
    },
    body: action === "snooze" ? '{"minutes":10}' : undefined,
  }).catch(() => null);
  const isOver = answer?.ok || answer?.status === 404; // 404: it was dealt with elsewhere
  if (!isOver) await show({ ...pushed, body: (WORDS[pushed.language] ?? WORDS.en!).failed! });
}

/** The page, where the reminder still rings. */
async function open(): Promise<void> {
  const [shown] = await worker.clients.matchAll({ type: "window" });
  await (shown ? shown.focus() : worker.clients.openWindow("/#list"));
}

export {};
