/** With a language model behind the service: a stand-in endpoint that takes its time, on a port of its own. */

import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, expectAccessible, newPerson } from "./person.ts";
import { type Service, startService } from "./service.ts";

const SAYS = "I would begin with whatever is due first.";
const THINKS = 1200;

const model = createServer((request, answer) => {
  request.resume().on("end", () => {
    const message = { role: "assistant", content: SAYS };
    const body = {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "stand-in",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    };
    setTimeout(() => {
      answer.setHeader("Content-Type", "application/json");
      answer.end(JSON.stringify(body));
    }, THINKS);
  });
});
let service: Service;

beforeAll(async () => {
  await new Promise<void>(resolve => model.listen(0, "127.0.0.1", resolve));
  const { port } = model.address() as { port: number };
  service = await startService({ SAYSO_MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`, SAYSO_MODEL: "stand-in" });
});
afterAll(async () => {
  await closeBrowser();
  await service.stop();
  model.close();
});

test("while it thinks that is shown, also after a reload; what it says is marked as its own", async () => {
  const { page, context } = await newPerson({ url: service.url });
  await page.locator("#message").fill("what would you do first?");
  await page.locator("#message").press("Enter");
  await page.getByText("Working on it…").waitFor();
  await page.reload();
  await page.locator("[data-reply]").getByText(SAYS).waitFor();
  expect(await page.getByText("language model").first().isVisible()).toBe(true);
  expect(await page.locator("[data-reply]").count()).toBe(1);
  await expectAccessible(page, "said by a model");
  await context.close();
});
