import { Elysia } from "elysia";

import type { AssertReady } from "./readiness.ts";

/** What the health routes look at. */
export interface HealthParts {
  assertReady: AssertReady;
  bots: { readonly size: number };
}

/** GET /healthz: the process is up. GET /readyz: storage can be written and the bots are loaded. */
export function healthRoutes({ assertReady, bots }: HealthParts) {
  return new Elysia()
    .get("/healthz", () => statusJson({ status: "up" }))
    .get("/readyz", async () => {
      await assertReady();
      return statusJson({ status: "ready", bots: bots.size });
    });
}

function statusJson(body: unknown): Response {
  return new Response(JSON.stringify(body), {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
