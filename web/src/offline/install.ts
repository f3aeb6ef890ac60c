/** Puts the service worker in place, so that the page opens without a connection. */

interface Policy {
  createScriptURL(url: string): string;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

export function install(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const trusted = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  // The page may only ever run one worker: the policy knows no other address.
  const policy = trusted?.createPolicy("sayso-worker", { createScriptURL: () => "/sw.js" });
  addEventListener("load", () => {
    navigator.serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js").catch(console.warn);
  });
}
