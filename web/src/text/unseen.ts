/** Characters that show nothing, turn the line around or pass for a space are spelled out, as the service spells them
 * in its questions (`sayso.unseen`): whoever reads a title must see what is stored. */

export type Piece = { text: string } | { code: string };

const HIDDEN = /^[\p{Cc}\p{Cs}\p{Co}\p{Cf}\p{Zl}\p{Zp}]$/u;
const BLANKS = new Set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0");
const JOINERS = new Set(["\u200c", "\u200d", "\ufe0f"]);
const KEYCAPS = "#*0123456789";
const SELECTORS: [number, number][] = [
  [0x180b, 0x180f],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
];
const PLAIN = /^[\x20-\x7e]*$/;

/** The text in pieces: what can be seen, and the codes of what cannot. Line breaks stay where they may. */
export function pieces(text: string, breaks = false): Piece[] {
  if (PLAIN.test(text)) return text ? [{ text }] : [];
  const letters = [...text];
  const found: Piece[] = [];
  let seen = "";
  letters.forEach((letter, at) => {
    if ((breaks && letter === "\n") || !isUnseen(letters, at)) {
      seen += letter;
      return;
    }
    if (seen) found.push({ text: seen });
    seen = "";
    found.push({ code: codeOf(letter) });
  });
  if (seen) found.push({ text: seen });
  return found;
}

export function codeOf(letter: string): string {
  return `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function isUnseen(letters: string[], at: number): boolean {
  const letter = letters[at]!;
  if (JOINERS.has(letter)) return !joins(letter, letters[at - 1], letters[at + 1]);
  const number = letter.codePointAt(0)!;
  return (
    BLANKS.has(letter) ||
    HIDDEN.test(letter) ||
    SELECTORS.some(([first, last]) => first <= number && number <= last) ||
    (number & 0xfffe) === 0xfffe
  );
}

/** Whether it stands where it is needed: after a sign that it changes, or between two letters that it holds. */
function joins(letter: string, before: string | undefined, after: string | undefined): boolean {
  const ascii = (one: string): boolean => one.codePointAt(0)! < 128;
  if (letter === "\ufe0f") return before !== undefined && (!ascii(before) || KEYCAPS.includes(before));
  return before !== undefined && after !== undefined && !ascii(before) && !ascii(after);
}

/** The same in one string, for what is read aloud. */
export function spelled(text: string): string {
  return pieces(text)
    .map(piece => ("text" in piece ? piece.text : ` ${piece.code} `))
    .join("");
}
