/** A gateway of the tests' own in front of the server of notes, on this machine and under an https:// name for phones. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, PYTHON, ROOT } from "./service.ts";

export const PHONE_HOST = "phone.test"; // resolved by the browser alone: see `openPhones`

export interface Gateway {
  /** The inbox on this machine. */
  local: string;
  /** The same gateway as phones reach it, over TLS. */
  phone: string;
  /** What `sayso gateway …` prints. */
  sayso(...words: string[]): string;
  /** Call a tool as a client that cannot ask. */
  call(tool: string, args: Record<string, unknown>, words?: string): Promise<Told>;
  stop(): Promise<void>;
}

export interface Told {
  status?: string;
  url?: string;
  result?: unknown;
}

export async function startGateway(more: Record<string, unknown> = {}): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), "sayso-inbox-"));
  copyFileSync(`${ROOT}examples/notes_server.py`, join(folder, "notes_server.py"));
  const notes = { command: PYTHON, args: [join(folder, "notes_server.py")], sayso: { trusted: true } };
  writeFileSync(join(folder, "sayso.json"), JSON.stringify({ mcpServers: { notes }, sayso: more }));
  const [port, inboxPort] = [await freePort(), await freePort()];
  const front = await tlsFront(folder, port);
  const phone = `https://${PHONE_HOST}:${(front.address() as { port: number }).port}`;
  const env = {
    ...process.env,
    PYTHONPATH: `${ROOT}src`,
    SAYSO_SEAL_DIR: join(folder, "keys"),
    SAYSO_STDIO_USER: "ada",
  };
  const started: ChildProcess[] = [];
  const run = (extra: NodeJS.ProcessEnv, ...words: string[]): void => {
    const stderr = process.env.SAYSO_LOGS ? "inherit" : "ignore";
    const child = spawn(PYTHON, ["-m", "sayso.cli", "gateway", ...words], {
      env: { ...env, ...extra },
      cwd: folder,
      stdio: ["ignore", "ignore", stderr],
    });
    started.push(child);
  };
  const push = { SAYSO_PUSH_KEY: "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA" };
  run({ SAYSO_PUBLIC_URL: phone, ...push }, "--transport", "http", "--port", String(port));
  run({}, "inbox", "--port", String(inboxPort));
  await untilAnswers(`http://127.0.0.1:${port}/readyz`);
  await untilAnswers(`http://127.0.0.1:${inboxPort}/inbox`);
  return {
    local: `http://127.0.0.1:${inboxPort}`,
    phone,
    sayso: (...words) =>
      execFileSync(PYTHON, ["-m", "sayso.cli", "gateway", ...words], {
        env: { ...env, SAYSO_PUBLIC_URL: phone },
        cwd: folder,
        encoding: "utf8",
      }),
    call: (tool, args, words) => callTool(`http://127.0.0.1:${port}/mcp`, tool, args, words),
    async stop() {
      for (const child of started) {
        const ended = new Promise(resolve => child.once("exit", resolve));
        child.kill("SIGTERM");
        await ended;
      }
      front.closeAllConnections();
      front.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The code that `sayso gateway pair` prints. */
export function codeOf(printed: string): string {
  const found = /^[2-9A-Z]{4}-[2-9A-Z]{4}$/m.exec(printed);
  if (!found) throw new Error(`no code in: ${printed}`);
  return found[0];
}

async function callTool(url: string, name: string, args: Record<string, unknown>, words?: string): Promise<Told> {
  const meta = words ? { _meta: { "sayso/words": words } } : {};
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, ...meta } }),
  });
  const { result, error } = (await answer.json()) as { result?: { structuredContent?: Told }; error?: unknown };
  if (!result) throw new Error(JSON.stringify(error));
  return result.structuredContent ?? {};
}

/** TLS with a certificate of its own in front of a port, with the name that the client asked for. */
async function tlsFront(folder: string, port: number): Promise<Server> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${PHONE_HOST}`, "-addext", `subjectAltName=DNS:${PHONE_HOST}`];
  const how = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
  execFileSync("openssl", [...how, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await new Promise(resolve => server.once("listening", resolve));
  return server;
}

async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer; SAYSO_LOGS=1 shows why`);
}
