/** Language and colours: the browser's, until the person chooses. */

import { chooseLanguage, LANGUAGES, type Language } from "../words/words";
import { keep, read } from "./kept";
import { makeStore } from "./store";

export type Theme = "auto" | "light" | "dark";
export interface Look {
  theme: Theme;
  lang: Language;
}

const chosen = read<Partial<Look>>("sayso.look", {});
const preferred = navigator.languages.map(tag => tag.slice(0, 2)).find(tag => LANGUAGES.includes(tag as Language));

export const look = makeStore<Look>({
  theme: chosen.theme ?? "auto",
  lang: chosen.lang ?? (preferred as Language | undefined) ?? "en",
});

export function changeLook(change: Partial<Look>): void {
  keep("sayso.look", { ...read<Partial<Look>>("sayso.look", {}), ...change });
  look.set(before => ({ ...before, ...change }));
}

function apply(): void {
  const { theme, lang } = look.get();
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.lang = lang;
  chooseLanguage(lang);
}

look.watch(apply);
apply();
