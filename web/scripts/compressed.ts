import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Writes `.br` and `.gz` beside every file of the page, so that the service compresses nothing while people wait. */
export function compressed(): Plugin {
  return {
    name: "sayso-compressed",
    apply: "build",
    writeBundle: {
      sequential: true,
      order: "post",
      handler(options) {
        for (const file of readdirSync(options.dir!, { recursive: true, encoding: "utf8" })) {
          if (!/\.(html|js|css|svg|webmanifest)$/.test(file)) continue;
          const path = join(options.dir!, file);
          const bytes = readFileSync(path);
          writeFileSync(`${path}.br`, brotliCompressSync(bytes));
          writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}
