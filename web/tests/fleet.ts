/** Simulated machines over a broker of the tests' own, and a service that reaches them. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, PYTHON, ROOT, type Service, startService } from "./service.ts";

const MOSQUITTO = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"].find(existsSync);
export const hasBroker = MOSQUITTO !== undefined;

export interface House extends Service {
  /** Machines of somebody, until `stop`. */
  furnish(user: string, machines: number, language?: "en" | "it"): Promise<ChildProcess>;
}

export async function startHouse(more: Record<string, string> = {}): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), "sayso-broker-"));
  const port = await freePort();
  const file = join(folder, "mosquitto.conf");
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\nlog_type none\n`);
  const broker = spawn(MOSQUITTO!, ["-c", file], { stdio: "ignore" });
  const reach = { SAYSO_MQTT_URL: `mqtt://127.0.0.1:${port}` };
  const service = await startService({ ...reach, ...more });
  const running: ChildProcess[] = [];
  return {
    ...service,
    async furnish(user, machines, language = "en") {
      const words = ["--machines", String(machines), "--user", user, "--language", language, "--every", "0.5"];
      const child = spawn(PYTHON, ["-m", "sayso.cli", "devices", "simulate", ...words, "--speed", "40"], {
        env: service.env,
        cwd: ROOT,
        stdio: ["ignore", "pipe", "ignore"],
      });
      running.push(child);
      await new Promise(resolve => child.stdout!.once("data", resolve));
      return child;
    },
    async stop() {
      for (const child of running) await ended(child, "SIGINT");
      await service.stop();
      await ended(broker, "SIGTERM");
      rmSync(folder, { recursive: true });
    },
  };
}

async function ended(child: ChildProcess, how: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise(resolve => child.once("exit", resolve));
  child.kill(how);
  await over;
}
