import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, transformWithOxc } from "vite";

const SOURCE = fileURLToPath(new URL("../src/offline/worker.ts", import.meta.url));
const ALWAYS = ["/", "/boot.js", "/icon.svg", "/manifest.webmanifest"];

/** Writes `sw.js` at the root, where it may serve the whole page, with the names of the files that it keeps. */
export function worker(): Plugin {
  return {
    name: "sayso-worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const files = [
        ...ALWAYS,
        ...Object.keys(bundle)
          .filter(name => name.startsWith("assets/"))
          .map(name => `/${name}`),
      ];
      const version = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
      const source = readFileSync(SOURCE, "utf8").replace("__VERSION__", version).replace("__FILES__", files.join(" "));
      const { code } = await transformWithOxc(source, "worker.ts");
      this.emitFile({ type: "asset", fileName: "sw.js", source: code.replace(/^export \{\};?\s*$/m, "") });
    },
  };
}
