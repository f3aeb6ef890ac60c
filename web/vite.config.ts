import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./scripts/compressed.ts";
import { worker } from "./scripts/worker.ts";

// Where `sayso serve` answers while the page is being worked on with `npm run dev`.
const service = process.env.SAYSO_DEV ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss(), worker(), compressed()],
  build: {
    outDir: "../src/sayso/chat/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ["chrome111", "firefox115", "safari16.4"],
  },
  server: { proxy: { "/v1": service, "/auth": service } },
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"], environment: "node" } },
      {
        test: {
          name: "e2e",
          include: ["tests/**/*.test.ts"],
          environment: "node",
          globalSetup: ["tests/service.ts"],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 8000 } },
          retry: process.env.SAYSO_BUSY ? 1 : 0, // beside other work a browser can be late; the report says which test was
        },
      },
      {
        test: {
          name: "pictures",
          include: ["scripts/pictures.ts"],
          environment: "node",
          globalSetup: ["tests/service.ts"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
