// Completes package-lock.json: `npm run lock`. Where a registry holds the binaries of this platform alone, npm leaves
// the others out of the lock, and `npm ci` then refuses it. They are named here by version; each is installed on its own
// platform only.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("../package-lock.json", import.meta.url);
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "x64", "ia32", "ppc64", "s390x", "riscv64", "loong64", "wasm32"];

const lock = JSON.parse(readFileSync(FILE, "utf8"));
for (const { optionalDependencies, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place]) continue;
    const os = SYSTEMS.find(system => name.includes(system));
    const cpu = PROCESSORS.find(processor => name.includes(`-${processor}`));
    if (!cpu || !/^\d/.test(version)) continue;
    lock.packages[place] = { version, cpu: [cpu], dev, optional: true, ...(os ? { os: [os] } : {}) };
    if (name.includes("musl")) lock.packages[place].libc = ["musl"];
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
