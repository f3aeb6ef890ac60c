/** The words of a message that a decision rests on. Offsets count code points, as the service counts. */

import type { Decision } from "../api/parts";

export interface Segment {
  text: string;
  /** The arguments that these words gave. */
  names: string[];
}

export function segments(message: string, decisions: Decision[]): Segment[] {
  const letters = [...message];
  const spans = decisions.flatMap(decision =>
    Object.entries(decision.evidence ?? {}).flatMap(([name, { span }]) => (span ? [{ name, span }] : [])),
  );
  const cuts = new Set([0, letters.length, ...spans.flatMap(({ span }) => span)]);
  const places = [...cuts].filter(cut => cut >= 0 && cut <= letters.length).sort((a, b) => a - b);
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1]!;
    const names = spans.filter(({ span }) => span[0] <= from && to <= span[1]).map(({ name }) => name);
    return { text: letters.slice(from, to).join(""), names: [...new Set(names)] };
  });
}
