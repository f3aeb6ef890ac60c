import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { minify, type Plugin, transformWithOxc } from "vite";

const SOURCE = fileURLToPath(new URL("../src/offline/worker.ts", import.meta.url));
const WORDS = new URL("../src/words/", import.meta.url);
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
      const words = wordsOfNotifications();
      const version = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
      const source = readFileSync(SOURCE, "utf8")
        .replace("__VERSION__", version)
        .replace("__FILES__", files.join(" "))
        .replace('"__WORDS__"', () => JSON.stringify(JSON.stringify(words)));
      const { code } = await transformWithOxc(source, "worker.ts");
      const { code: small } = await minify("sw.js", code.replace(/^export \{\};?\s*$/m, ""));
      this.emitFile({ type: "asset", fileName: "sw.js", source: small });
    },
  };
}

/** What a notification says, out of the words of the page. */
function wordsOfNotifications(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  for (const file of readdirSync(WORDS).filter(name => name.endsWith(".json"))) {
    const words = JSON.parse(readFileSync(new URL(file, WORDS), "utf8")) as Record<string, string>;
    const names = { done: "ringing.done", snooze: "ringing.snooze", failed: "push.action_failed" };
    found[file.replace(".json", "")] = Object.fromEntries(
      Object.entries(names).map(([name, word]) => [name, words[word]!]),
    );
  }
  return found;
}
