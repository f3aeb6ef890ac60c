// Shows a notification for each push, and opens the question when it is pressed. It keeps nothing and answers nothing.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));

self.addEventListener("push", event => {
  const told = event.data ? event.data.json() : {};
  const options = { body: told.body || "", tag: told.id || "sayso", data: { url: told.url || "/inbox" }, icon: "/inbox/icon.svg" };
  event.waitUntil(self.registration.showNotification(told.title || "Sayso", options));
});

self.addEventListener("notificationclick", event => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(url.pathname));
});
