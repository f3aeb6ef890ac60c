// chrono on lines of JSON, {"text", "now", "lang"}: for each line what it read, {"found": [{"at", "text", "start", "end"}]}.
// The last line is {"version", "microseconds"}: the mean time of a text, once every text was read before.
//
//     node peers_chrono.mjs FOLDER < LINES        FOLDER is where npm put chrono-node
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const folder = process.argv[2];
const chrono = createRequire(join(folder, "index.js"))("chrono-node");
const home = join(folder, "node_modules", "chrono-node", "package.json");
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

const started = process.hrtime.bigint();
lines.forEach(read);
const microseconds = Number(process.hrtime.bigint() - started) / 1000 / Math.max(1, lines.length);
console.log(JSON.stringify({ version: JSON.parse(readFileSync(home, "utf-8")).version, microseconds }));
