/** Every word of the page, in the language that was chosen. A new language is a file and its name here. */

import en from "./en.json";
import it from "./it.json";

export const LANGUAGES = ["en", "it"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Word = keyof typeof en;

const FILES: Record<Language, Record<Word, string>> = { en, it };
const PLURALS: Record<Language, Intl.PluralRules> = { en: new Intl.PluralRules("en"), it: new Intl.PluralRules("it") };
let spoken: Language = "en";

export const language = (): Language => spoken;

/** For dates and numbers: the browser's own region of that language, if it has one. */
export function locale(): string {
  const wanted = globalThis.navigator?.languages ?? [];
  return wanted.find(tag => tag.startsWith(`${spoken}-`)) ?? spoken;
}

export function chooseLanguage(to: Language): void {
  spoken = to;
}

/** A text with its places filled in. With `count`, `name.one` is taken where the language has it for that number. */
export function t(name: Word, values: Record<string, string | number> = {}): string {
  const words = FILES[spoken];
  let text = words[name] as string | undefined;
  if (typeof values.count === "number" && PLURALS[spoken].select(values.count) === "one") {
    text = (words as Record<string, string>)[`${name}.one`] ?? text;
  }
  return text?.replace(/\{(\w+)\}/g, (_, place: string) => String(values[place] ?? "")) as string;
}
