import { beforeEach, describe, expect, test } from "vitest";
import type { Scalar } from "../api/parts";
import type { Machine } from "../api/types";
import { agoText, measuredText, metricName, spanText } from "../text/measured";
import { chooseLanguage } from "../words/words";
import { curveOf, HEIGHT, WIDTH } from "./curve";
import { byPlace } from "./places";

beforeEach(() => chooseLanguage("en"));

const measured = (...values: Scalar[]) => ({
  history: values.map((value, at) => ({ at: new Date(at * 60_000).toISOString(), value })),
});

describe("a curve", () => {
  test("goes from left to right, and up with the values", () => {
    const curve = curveOf(measured(1, 2, 3))!;
    const points = curve.line
      .slice(1)
      .split("L")
      .map(one => one.split(" ").map(Number)) as [number, number][];
    expect(points.map(([x]) => x)).toEqual([3, WIDTH / 2, WIDTH - 3]);
    expect(points.map(([, y]) => y)).toEqual([HEIGHT - 3, HEIGHT / 2, 3]);
    expect([curve.low, curve.high, curve.milliseconds]).toEqual([1, 3, 120_000]);
    expect(curve.last).toEqual([WIDTH - 3, 3]);
  });
  test("of what does not change lies in the middle", () => {
    for (const value of [0, 4, -18]) expect(curveOf(measured(value, value))!.line).toMatch(/^M3 14L109 14$/);
  });
  test("of a quiver is no mountain", () => {
    const heights = curveOf(measured(1000, 1001, 1000))!
      .line.match(/ (\d+\.?\d*)/g)!
      .map(Number);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1);
  });
  test.each([[], [1], [true, false], ["on", "off"], [null, 3]])("needs two numbers, not %j", (...values) => {
    expect(curveOf(measured(...values))).toBeNull();
  });
});

describe("what was measured, in words", () => {
  test("a number with its unit, in the person's language", () => {
    expect(measuredText({ name: "temperature", unit: "°C" }, 4.25)).toBe("4.25\u00A0°C");
    expect(measuredText({ name: "speed", unit: "rpm" }, 1499.6)).toBe("1,500\u00A0rpm");
    chooseLanguage("it");
    expect(measuredText({ name: "temperature", unit: "°C" }, 4.25)).toBe("4,25\u00A0°C");
  });
  test("whether it is so, by what it is about", () => {
    expect(measuredText({ name: "door", unit: null }, true)).toBe("open");
    expect(measuredText({ name: "frost", unit: null }, false)).toBe("no");
    expect(measuredText({ name: "fault", unit: null }, null)).toBe("none");
    expect(measuredText({ name: "state", unit: null }, "docked")).toBe("docked");
  });
  test("a name that we have no word for stays as it is", () => {
    expect([metricName("target_temperature"), metricName("wash_cycle")]).toEqual(["target temperature", "wash cycle"]);
  });
  test("how long ago, and how long", () => {
    const now = new Date("2026-03-10T12:00:00Z");
    const ago = ["2026-03-10T11:59:50Z", "2026-03-10T11:57:10Z", "2026-03-10T09:00:00Z", "2026-03-09T09:00:00Z"];
    expect(ago.map(at => agoText(at, now))).toEqual(["now", "2 minutes ago", "3 hours ago", "yesterday"]);
    expect([spanText(20_000), spanText(150_000)]).toEqual(["20 seconds", "3 minutes"]);
  });
});

test("machines stand by their places, and those without one come last", () => {
  const machines = [
    { id: "a", location: "kitchen" },
    { id: "b", location: "" },
    { id: "c", location: "bar" },
    { id: "d", location: "kitchen" },
  ] as Machine[];
  expect(byPlace(machines).map(([place, part]) => [place, part.map(one => one.id)])).toEqual([
    ["bar", ["c"]],
    ["kitchen", ["a", "d"]],
    ["", ["b"]],
  ]);
});
