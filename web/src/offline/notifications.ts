/** The notifications that this browser shows. */

/** Closes the one of a reminder, or all of them. */
export async function closeNotifications(tag?: string): Promise<void> {
  if (!("Notification" in window && "serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  for (const shown of (await worker?.getNotifications(tag ? { tag } : {})) ?? []) shown.close();
}
