/** Tells when the list was changed elsewhere: another window, a phone, an MCP client; and when a reminder rang. The first
 * word comes at once after each connection, so whatever happened while the line was down is not missed. */

const PAUSE = 5000;

export function watchChanges(onChange: () => void, onRang: () => void, onOpen: () => void): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout>;
  const open = (): void => {
    source = new EventSource("/v1/events");
    source.onopen = onOpen;
    source.onmessage = event => {
      const data = JSON.parse(event.data as string) as { type?: string };
      if (data.type === "tasks_changed") onChange();
      if (data.type === "reminder_rang") onRang();
    };
    source.onerror = () => {
      // The browser tries again by itself, but gives up on an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, PAUSE);
    };
  };
  const seen = (): void => {
    if (document.visibilityState === "visible") onChange();
  };
  open();
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearTimeout(again);
    source.close();
    document.removeEventListener("visibilitychange", seen);
  };
}
