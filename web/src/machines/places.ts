import type { Machine } from "../api/types";

/** Machines by where they stand; those of which nobody knows it come last. */
export function byPlace(machines: Machine[]): [string, Machine[]][] {
  const places = [...new Set(machines.map(one => one.location))].sort((a, b) =>
    a && b ? a.localeCompare(b) : a ? -1 : 1,
  );
  return places.map(place => [place, machines.filter(one => one.location === place)]);
}
