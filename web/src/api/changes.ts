/** Tells when the list was changed elsewhere: another window, a phone, an MCP client. */

export function watchChanges(onChange: () => void, onConnection: (open: boolean) => void): () => void {
  const source = new EventSource("/v1/events");
  let opened = false;
  source.onopen = () => {
    onConnection(true);
    if (opened) onChange(); // whatever happened while the line was down
    opened = true;
  };
  source.onerror = () => onConnection(false);
  source.onmessage = event => {
    const data = JSON.parse(event.data as string) as { type?: string };
    if (data.type === "tasks_changed") onChange();
  };
  return () => source.close();
}
