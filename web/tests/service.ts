/** A `sayso serve` of the tests' own: a fresh database, a free port, development mode. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { newCertificate } from "./push-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    service: string;
    /** The certificate of the tests' push service, which `service` trusts. */
    certificate: string;
  }
}

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PYTHON = `${ROOT}.venv/bin/python`;
const SERVER = process.env.SAYSO_TEST_DATABASE ?? "postgresql://postgres@127.0.0.1:5432/postgres";
const SQL = `
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as on:
    on.execute(sys.argv[2])
`;

export interface Service {
  url: string;
  /** What its commands are told of it. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startService(more: Record<string, string> = {}): Promise<Service> {
  const name = `sayso_page_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  execFileSync(PYTHON, ["-c", SQL, SERVER, `CREATE DATABASE ${name}`]);
  const database = new URL(SERVER);
  database.pathname = `/${name}`;
  const port = await freePort();
  const env = {
    ...process.env,
    PYTHONPATH: `${ROOT}src`,
    SAYSO_ENV: "development",
    SAYSO_DATABASE_URL: database.href,
    SAYSO_STATE_KEYS: "0123456789abcdef0123456789abcdef",
    SAYSO_RATE_LIMIT: "100000/minute",
    SAYSO_PUSH_KEY: randomBytes(32).toString("base64url"),
    SAYSO_REMINDER_SCHEMES: "json,ntfys",
    SAYSO_REMINDER_NETWORKS: "127.0.0.1/32", // where the tests listen for messages
    ...more,
  };
  const sayso = (...words: string[]): string[] => ["-m", "sayso.cli", ...words];
  execFileSync(PYTHON, sayso("db", "migrate"), { env, cwd: ROOT });
  const child = spawn(PYTHON, sayso("serve", "--host", "127.0.0.1", "--port", String(port)), {
    env,
    cwd: ROOT,
    stdio: ["ignore", "ignore", process.env.SAYSO_LOGS ? "inherit" : "ignore"],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/readyz`, child);
  return {
    url,
    env,
    async stop() {
      const ended = new Promise(resolve => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      execFileSync(PYTHON, ["-c", SQL, SERVER, `DROP DATABASE ${name} WITH (FORCE)`]);
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise(resolve => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1800; attempt++) {
    if (child.exitCode !== null) throw new Error(`sayso serve ended with ${child.exitCode}; SAYSO_LOGS=1 shows why`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error("sayso serve did not become ready");
}

/** Once for all files of tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const certificate = newCertificate();
  const service = await startService({ REQUESTS_CA_BUNDLE: certificate });
  project.provide("service", service.url);
  project.provide("certificate", certificate);
  return () => service.stop();
}
