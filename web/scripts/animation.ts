/** Pictures into one moving picture (APNG): only what changed from one to the next is stored, in the 64 most frequent
 * colours. */

import { crc32, deflateSync, inflateSync } from "node:zlib";

interface Picture {
  width: number;
  height: number;
  /** RGB, row by row. */
  pixels: Buffer;
}

export interface Frame {
  png: Buffer;
  milliseconds: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function animated(frames: Frame[]): Buffer {
  const pictures = frames.map(({ png }) => decoded(png));
  const colours = frequent(pictures);
  const place = nearestOf(colours);
  const first = pictures[0]!;
  let before = first;
  let sequence = 0;
  const parts: Buffer[] = [];
  frames.forEach(({ milliseconds }, at) => {
    const now = pictures[at]!;
    const box = at === 0 ? { x: 0, y: 0, width: now.width, height: now.height } : changed(before, now);
    const data = deflateSync(rows(now, box, place), { level: 9 });
    parts.push(chunk("fcTL", control(sequence++, box, milliseconds)));
    parts.push(at === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([number32(sequence++), data])));
    before = now;
  });
  const header = Buffer.concat([number32(first.width), number32(first.height), Buffer.from([8, 3, 0, 0, 0])]);
  const palette = chunk(
    "PLTE",
    Buffer.from(colours.flatMap(colour => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff])),
  );
  const count = chunk("acTL", Buffer.concat([number32(frames.length), number32(0)]));
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), palette, count, ...parts, chunk("IEND", Buffer.alloc(0))]);
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest box around all that differs; a single pixel where nothing does. */
function changed(before: Picture, now: Picture): Box {
  let [left, top, right, bottom] = [now.width, now.height, 0, 0];
  for (let y = 0; y < now.height; y++) {
    const row = y * now.width * 3;
    const end = row + now.width * 3;
    if (before.pixels.compare(now.pixels, row, end, row, end) === 0) continue;
    top = Math.min(top, y);
    bottom = y + 1;
    for (let x = 0; x < now.width; x++) {
      const place = row + x * 3;
      if (before.pixels.compare(now.pixels, place, place + 3, place, place + 3) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
    }
  }
  if (right === 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The rows of a box, as places in the palette. */
function rows(picture: Picture, box: Box, place: (colour: number) => number): Buffer {
  const made = Buffer.alloc((box.width + 1) * box.height);
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const at = (box.y + y) * picture.width + box.x + x;
      made[y * (box.width + 1) + 1 + x] = place(picture.pixels.readUIntBE(at * 3, 3));
    }
  }
  return made;
}

/** The colours that most pixels have. */
function frequent(pictures: Picture[]): number[] {
  const counts = new Map<number, number>();
  for (const { pixels } of pictures) {
    for (let at = 0; at < pixels.length; at += 3) {
      const colour = pixels.readUIntBE(at, 3);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, 64).map(([colour]) => colour);
}

/** Finds the place of the colour that is most like another. */
function nearestOf(colours: number[]): (colour: number) => number {
  const known = new Map(colours.map((colour, place) => [colour, place]));
  return colour => {
    let place = known.get(colour);
    if (place === undefined) {
      const distances = colours.map(one => distance(one, colour));
      place = distances.indexOf(Math.min(...distances));
      known.set(colour, place);
    }
    return place;
  };
}

function distance(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 0xff) - ((other >> shift) & 0xff)) ** 2, 0);
}

function control(sequence: number, box: Box, milliseconds: number): Buffer {
  const places = [sequence, box.width, box.height, box.x, box.y].map(number32);
  const delay = Buffer.alloc(4);
  delay.writeUInt16BE(milliseconds, 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([...places, delay, Buffer.from([0, 0])]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([number32(data.length), named, number32(crc32(named))]);
}

function number32(value: number): Buffer {
  const made = Buffer.alloc(4);
  made.writeUInt32BE(value);
  return made;
}

/** A picture as the browser takes it: 8 bits a colour, not interlaced. */
function decoded(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const size = png[25] === 6 ? 4 : 3;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(data)), width, height, size) };
}

function unfiltered(raw: Buffer, width: number, height: number, size: number): Buffer {
  const line = width * size;
  const full = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)]!;
    for (let x = 0; x < line; x++) {
      const left = x >= size ? full[y * line + x - size]! : 0;
      const up = y ? full[(y - 1) * line + x]! : 0;
      const corner = y && x >= size ? full[(y - 1) * line + x - size]! : 0;
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter]!;
      full[y * line + x] = (raw[y * (line + 1) + 1 + x]! + guess) & 0xff;
    }
  }
  if (size === 3) return full;
  const plain = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) full.copy(plain, at * 3, at * 4, at * 4 + 3);
  return plain;
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
