// Draws the icons of the page: `npm run icons`. The mark is the one in src/shell/icon.tsx.
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const BUBBLE = "M8 3h16a6 6 0 016 6v10a6 6 0 01-6 6h-8.6l-6 4.6c-.7.5-1.4.1-1.4-.7V25a6 6 0 01-6-6V9a6 6 0 016-6z";
const mark = (bubble, check) =>
  `<path d="${BUBBLE}" fill="${bubble}"/><path d="M9.6 14.2l4.4 4.4 8.6-9" fill="none" stroke="${check}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`;
const svg = inside => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${inside}</svg>`;
const flat = svg(mark("#14594e", "#fff"));
// A square that launchers may cut to any shape: the mark keeps to the middle.
const filled = size =>
  svg(
    `<rect width="32" height="32" fill="#14594e"/><g transform="translate(16 16.4) scale(${size}) translate(-16 -16)">${mark("#fff", "#14594e")}</g>`,
  );

const folder = new URL("../public/", import.meta.url);
writeFileSync(new URL("icon.svg", folder), `${flat}\n`);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const [name, size, drawing] of [
  ["icon-180.png", 180, filled(0.62)],
  ["icon-192.png", 192, flat],
  ["icon-512.png", 512, flat],
  ["icon-mask-512.png", 512, filled(0.56)],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw}</style>${drawing}`);
  writeFileSync(new URL(name, folder), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
