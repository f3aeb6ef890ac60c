/** A line through readings, on a field of so many units: later ones to the right, higher ones further up. */

import type { Metric } from "../api/types";

export const WIDTH = 112;
export const HEIGHT = 28;
const MARGIN = 3;
const LEAST = 0.05; // of the highest value: less than that is a quiver, and is not drawn as a mountain

export interface Curve {
  line: string;
  /** Down to the ground, to be filled. */
  area: string;
  last: [number, number];
  low: number;
  high: number;
  milliseconds: number;
}

/** The curve of a metric; null where there are no two numbers to draw a line between. */
export function curveOf({ history }: Pick<Metric, "history">): Curve | null {
  const points = history.flatMap(({ at, value }) => (typeof value === "number" ? [[Date.parse(at), value]] : [])) as [
    number,
    number,
  ][];
  if (points.length < 2) return null;
  const [first, end] = [points[0]![0], points.at(-1)![0]];
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(high - low, LEAST * Math.max(Math.abs(high), Math.abs(low)), Number.EPSILON);
  const middle = (low + high) / 2;
  const place = ([at, value]: [number, number]): [number, number] => [
    MARGIN + ((at - first) / Math.max(end - first, 1)) * (WIDTH - 2 * MARGIN),
    HEIGHT / 2 - ((value - middle) / range) * (HEIGHT - 2 * MARGIN),
  ];
  const places = points.map(place);
  const line = `M${places.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}`;
  return {
    line,
    area: `${line}L${round(places.at(-1)![0])} ${HEIGHT}L${round(places[0]![0])} ${HEIGHT}Z`,
    last: places.at(-1)!,
    low,
    high,
    milliseconds: end - first,
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
