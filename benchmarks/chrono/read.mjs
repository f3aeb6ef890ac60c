// chrono on lines of JSON, {"text", "now", "lang"}: for each line what it read, {"found": [{"at", "text", "start", "end"}]}.
//
//     node read.mjs < LINES        once `npm ci` has put chrono-node beside it
import { readFileSync } from "node:fs";
import * as chrono from "chrono-node";

const lines = readFileSync(0, "utf-8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

const read = ({ text, now, lang }) => chrono[lang].casual.parse(text, new Date(now), { forwardDate: true });

// A part that was not said is chrono's own guess: the time only where the hour is certain.
const component = (part) => ({
  day: [part.get("year"), part.get("month"), part.get("day")],
  time: part.isCertain("hour") ? [part.get("hour"), part.get("minute")] : null,
});

for (const line of lines) {
  const found = read(line).map((one) => ({
    at: one.index,
    text: one.text,
    start: component(one.start),
    end: one.end ? component(one.end) : null,
  }));
  console.log(JSON.stringify({ found }));
}
