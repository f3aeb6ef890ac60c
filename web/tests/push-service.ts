/** A push service of the tests' own: it accepts what `sayso serve` sends, and decrypts it as a browser would. */

import { execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const KEY_LENGTH = 65; // an uncompressed point
const SALT_LENGTH = 16;
const TAG_LENGTH = 16;
const HEADER_LENGTH = SALT_LENGTH + 4 + 1; // salt, record size, length of the key

/** A certificate for 127.0.0.1 with its key, in one file. */
export function newCertificate(): string {
  const folder = mkdtempSync(join(tmpdir(), "sayso-push-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "push.pem")];
  const subject = ["-subj", "/CN=push", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-nodes", ...made, ...subject], { stdio: "ignore" });
  return certificate;
}

export interface PushService {
  /** What a browser gets when it subscribes. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** The messages that came, decrypted, with their headers. */
  came: { message: string; headers: IncomingHttpHeaders }[];
  close(): void;
}

export async function startPushService(certificate: string): Promise<PushService> {
  const browser = createECDH("prime256v1");
  const p256dh = browser.generateKeys();
  const auth = randomBytes(16);
  const came: PushService["came"] = [];
  const key = readFileSync(join(certificate, "..", "key.pem"));
  const server = createServer({ key, cert: readFileSync(certificate) }, (request, answer) => {
    const parts: Buffer[] = [];
    request
      .on("data", part => parts.push(part))
      .on("end", () => {
        const message = decrypted(Buffer.concat(parts), browser.computeSecret.bind(browser), p256dh, auth);
        came.push({ message, headers: request.headers });
        answer.writeHead(201).end();
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    subscription: {
      endpoint: `https://127.0.0.1:${port}/push/1`,
      keys: { p256dh: p256dh.toString("base64url"), auth: auth.toString("base64url") },
    },
    came,
    close: () => server.close(),
  };
}

/** One record of aes128gcm (RFC 8188) with the keys of a web push (RFC 8291). */
function decrypted(body: Buffer, secretWith: (key: Buffer) => Buffer, p256dh: Buffer, auth: Buffer): string {
  const salt = body.subarray(0, SALT_LENGTH);
  const sender = body.subarray(HEADER_LENGTH, HEADER_LENGTH + KEY_LENGTH);
  const record = body.subarray(HEADER_LENGTH + KEY_LENGTH);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, sender]);
  const shared = hkdfSync("sha256", secretWith(sender), auth, info, 32);
  const derived = (what: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", Buffer.from(shared), salt, `Content-Encoding: ${what}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
  decipher.setAuthTag(record.subarray(-TAG_LENGTH));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_LENGTH)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
