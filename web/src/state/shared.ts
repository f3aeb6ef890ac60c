/** What another app shared with Sayso (`share_target` of the manifest). It waits in this tab until the person is signed in,
 * and only fills in the field: the person adds it, or does not. */

const NAME = "sayso.shared";

/** Out of the address, before anything else reads that. */
export function receiveShared(): void {
  const given = new URLSearchParams(location.search);
  const parts = ["title", "text", "url"].map(name => given.get(name)?.trim()).filter(Boolean);
  if (parts.length === 0) return;
  history.replaceState(null, "", "/#list");
  try {
    sessionStorage.setItem(NAME, [...new Set(parts)].join(" ").replace(/\s+/g, " "));
  } catch {
    // A browser that keeps nothing opens the list.
  }
}

export function readShared(): string {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

export function forgetShared(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was kept.
  }
}
