/** What stays in this browser. Everything that belongs to a person goes when they sign out. */

const PERSONAL = "sayso.me.";

export function read<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined || value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

export const mine = (name: string): string => PERSONAL + name;

export function forgetMe(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PERSONAL)) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
