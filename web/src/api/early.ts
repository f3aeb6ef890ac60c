/** What `boot.js` asked before this script was here. Each answer is taken once; later questions are asked anew. */

import type { Session, Tasks } from "./types";

interface Early {
  session?: Promise<Session>;
  tasks?: Promise<Tasks | null>;
}

const asked = (globalThis as { early?: Early }).early ?? {};

export async function takeEarly<Name extends keyof Early>(name: Name): Promise<Awaited<Early[Name]> | null> {
  const answer = asked[name];
  delete asked[name];
  return ((await answer?.catch(() => null)) ?? null) as Awaited<Early[Name]> | null;
}
