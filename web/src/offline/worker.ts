/** The service worker: keeps the files of the page, so that it opens without a connection. It keeps nothing of what
 * people say or have on their lists; the page does that itself, and forgets it at signing out. */

const KEPT = "sayso-__VERSION__";
const FILES = "__FILES__".split(" ");
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

export {};
