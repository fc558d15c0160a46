import { Elysia } from "elysia";

import type { Runtime } from "../runtime.ts";
import type { ContextOf } from "./request-context.ts";

/** GET /healthz: the process is up. GET /readyz: storage can be written and the bots are loaded. */
export function healthRoutes(runtime: Pick<Runtime, "store" | "bots">, contextOf: ContextOf) {
  return new Elysia()
    .get("/healthz", ({ request }) => {
      contextOf(request).route = "/healthz";
      return statusJson({ status: "up" });
    })
    .get("/readyz", async ({ request }) => {
      contextOf(request).route = "/readyz";
      await runtime.store.assertWritable();
      return statusJson({ status: "ready", bots: runtime.bots.size });
    });
}

function statusJson(body: unknown): Response {
  return new Response(JSON.stringify(body), {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
